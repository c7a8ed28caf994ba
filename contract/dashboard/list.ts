import Type, { type TSchema } from 'typebox'
import { PAGE } from '../list.ts'

const LIMIT_MAX = 100
const LIMIT = 50

/** The members of every list's query (DSH-8), beside its filters. */
export const DASHBOARD_PAGE = {
  ...PAGE,
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT, description: 'Page size.' }),
}

/** The total of a list is counted only up to this number. */
export const TOTAL_MAX = 10_000

/** A page of a list. `total` counts the whole filter; it is `null` for more than 10,000. */
export const DashboardList = <Item extends TSchema>(item: Item) =>
  Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  })

/** {@link DashboardList} as a type, for items without a schema. */
export interface Listed<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  total: number | null
}
