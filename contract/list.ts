import Type, { type TSchema } from 'typebox'
import { Uuid } from './formats.ts'

const LIMIT_MAX = 100
const LIMIT = 10

/** What every list of the merchant API takes in its query (API-10, API-11). */
export const PAGE = {
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT, description: 'How many, at the most.' }),
  starting_after: Type.Optional(
    Type.Unsafe<string>({ ...Uuid(), description: 'The id that the older page begins after.' }),
  ),
  ending_before: Type.Optional(
    Type.Unsafe<string>({ ...Uuid(), description: 'The id that the newer page ends before.' }),
  ),
}

export const PageQuery = Type.Object(PAGE)

/** `has_more`: there are more in the direction that was asked for (API-11). */
export const ListOf = <Item extends TSchema>(item: Item, title: string) =>
  Type.Object({ object: Type.Literal('list'), data: Type.Array(item), has_more: Type.Boolean() }, { title })
