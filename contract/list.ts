import Type, { type TSchema } from 'typebox'
import { Uuid } from './formats.ts'

const LIMIT_MAX = 100
const LIMIT = 10

/** The query of every list of the merchant API (API-10, API-11). */
export const PAGE = {
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT, description: 'Page size.' }),
  starting_after: Type.Optional(
    Type.Unsafe<string>({ ...Uuid(), description: 'Returns the older page after this id.' }),
  ),
  ending_before: Type.Optional(
    Type.Unsafe<string>({ ...Uuid(), description: 'Returns the newer page before this id.' }),
  ),
}

export const PageQuery = Type.Object(PAGE)

/** A page of a list. `has_more`: there are further objects in the requested direction (API-11). */
export const ListOf = <Item extends TSchema>(item: Item, title: string) =>
  Type.Object({ object: Type.Literal('list'), data: Type.Array(item), has_more: Type.Boolean() }, { title })
