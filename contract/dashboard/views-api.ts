import Type, { type Static } from 'typebox'
import { EpochSeconds, Line, Nullable, OneOf, Uuid } from '../formats.ts'

// Saved views: filters and columns of one list, under a name, for oneself or for everyone in the business.

/** The lists that have views. */
export const VIEW_LISTS = [
  'payments',
  'operations',
  'sessions',
  'customers',
  'subscriptions',
  'products',
  'batches',
  'contracts',
  'webhook_deliveries',
  'events',
  'requests',
  'audit',
] as const
export type ViewList = (typeof VIEW_LISTS)[number]

const COLUMNS_MAX = 50

/** Filters as in the URL of the list. */
const Filters = Type.Record(Type.String(), Line(200, 0), {
  maxProperties: 30,
  propertyNames: { minLength: 1, maxLength: 40, format: 'line' },
})
const Columns = Type.Array(Line(40), { maxItems: COLUMNS_MAX })

const SavedView = Type.Object({
  id: Uuid(),
  object: Type.Literal('saved_view'),
  list: OneOf(VIEW_LISTS),
  name: Type.String(),
  query: Filters,
  /** `null` for the usual columns. */
  columns: Nullable(Columns),
  is_shared: Type.Boolean(),
  /** Whether it is the person's own view; others cannot be changed. */
  is_own: Type.Boolean(),
  created: EpochSeconds(),
})
export type SavedView = Static<typeof SavedView>

export const ViewsQuery = Type.Object({ list: OneOf(VIEW_LISTS) })

export const ViewCreate = Type.Object({
  list: OneOf(VIEW_LISTS),
  name: Line(60),
  query: Filters,
  columns: Type.Optional(Nullable(Columns)),
  is_shared: Type.Optional(Type.Boolean()),
})
export type ViewCreate = Static<typeof ViewCreate>

export const ViewUpdate = Type.Object({
  name: Type.Optional(Line(60)),
  query: Type.Optional(Filters),
  columns: Type.Optional(Nullable(Columns)),
  is_shared: Type.Optional(Type.Boolean()),
})
export type ViewUpdate = Static<typeof ViewUpdate>

/** Views of one list: the person's own, and those that others share; ordered by name. */
const ViewList = Type.Object({ object: Type.Literal('list'), data: Type.Array(SavedView) })

export interface ViewsApi {
  'GET /views': { query: Static<typeof ViewsQuery>; response: Static<typeof ViewList> }
  'POST /views': { body: ViewCreate; response: SavedView }
  'PATCH /views/{id}': { body: ViewUpdate; response: SavedView }
  'DELETE /views/{id}': { response: { id: string; object: 'saved_view'; deleted: true } }
}
