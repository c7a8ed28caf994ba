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
  /** A name, an e-mail, a reference or a receipt; `null` where there is none. */
  title: Nullable(Type.String()),
  amount: Nullable(Type.Integer()),
  currency: Nullable(OneOf(['usd', 'cad'])),
  /** The object's own word for its state; of a payment that of its row in the list. */
  status: Nullable(Type.String()),
  card: Nullable(Type.Object({ brand: Type.String(), last4: Type.String() })),
  created: Type.Integer(),
})
export type SearchHit = Static<typeof SearchHit>

/** At most five of each kind, newest first. Without `q`: what is newest. */
const SearchResponse = Type.Object({
  object: Type.Literal('search'),
  /** How `q` was read. */
  shape: OneOf(['recent', 'id', 'receipt', 'email', 'last4', 'amount', 'text']),
  data: Type.Array(SearchHit),
  /** Not everything could be searched in time: a longer text finds more. */
  is_cut: Type.Boolean(),
})
export type SearchResponse = Static<typeof SearchResponse>

export interface SearchApi {
  'GET /search': { query: Static<typeof SearchQuery>; response: SearchResponse }
}
