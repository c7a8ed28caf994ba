import Type, { type Static } from 'typebox'
import { Line, Nullable, OneOf, Uuid } from '../formats.ts'

// Search over everything, from any page.

export const SearchQuery = Type.Object({ q: Type.Optional(Line(200, 0)) })

export const SEARCH_KINDS = [
  'payment',
  'refund',
  'customer',
  'subscription',
  'session',
  'product',
  'contract',
  'batch',
  'event',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

const SearchHit = Type.Object({
  kind: OneOf(SEARCH_KINDS),
  id: Uuid(),
  /** A name, an e-mail address, a reference or a receipt; `null` if the object has none. */
  title: Nullable(Type.String()),
  amount: Nullable(Type.Integer()),
  currency: Nullable(OneOf(['usd', 'cad'])),
  /** Status of the object; for a payment the status of its row in the list. */
  status: Nullable(Type.String()),
  card: Nullable(Type.Object({ brand: Type.String(), last4: Type.String() })),
  created: Type.Integer(),
})
export type SearchHit = Static<typeof SearchHit>

/** At most five results of each kind, newest first. Without `q`: the newest objects. */
const SearchResponse = Type.Object({
  object: Type.Literal('search'),
  /** How `q` was interpreted. */
  shape: OneOf(['recent', 'id', 'receipt', 'email', 'last4', 'amount', 'text']),
  data: Type.Array(SearchHit),
  /** Whether the search ran out of time: a longer text finds more. */
  is_cut: Type.Boolean(),
})
export type SearchResponse = Static<typeof SearchResponse>

export interface SearchApi {
  'GET /search': { query: Static<typeof SearchQuery>; response: SearchResponse }
}
