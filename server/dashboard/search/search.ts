import {
  SEARCH_KINDS,
  type SearchHit,
  type SearchKind,
  type SearchResponse,
} from '../../../contract/dashboard/search-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds, epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { firstIdAt, isUuid } from '../../lib/ids.ts'
import { centsFromDecimal } from '../../lib/money.ts'
import {
  findByAmount,
  findById,
  findByLast4,
  findByReceipt,
  findByText,
  findCustomersByEmail,
  findNewest,
  findPaymentsOfCustomers,
  findSessionsByReference,
  type StoredHit,
  TEXT_KINDS,
} from './search-queries.ts'

const DAYS_BACK = 90
const DAY_SECONDS = 86_400
const STATEMENT_MS = 400
/** Trigrams find nothing shorter. */
const TEXT_MIN = 3

type Shape = SearchResponse['shape']

/** What somebody who types this looks for. */
function shapeOf(q: string): Shape {
  if (q === '') return 'recent'
  if (isUuid(q.toLowerCase())) return 'id'
  if (/^R[0-9A-HJKMNP-TV-Z]{10}$/i.test(q)) return 'receipt'
  if (q.includes('@')) return 'email'
  if (/^\d{4}$/.test(q)) return 'last4'
  return /^\d{1,6}[.,]\d{2}$/.test(q) ? 'amount' : 'text'
}

/** Searches everything of a business, at most five of each kind. What takes longer than 400 ms is left out, and said so. */
export async function search(
  db: Db,
  { businessId, q, now }: { businessId: string; q: string; now: Date },
): Promise<SearchResponse> {
  const shape = shapeOf(q)
  let isCut = false
  const read = async (work: (tx: Tx) => Promise<StoredHit[]>) => {
    try {
      return await boundedRead(db, work, { statementMs: STATEMENT_MS })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unavailable') throw error
      isCut = true
      return []
    }
  }
  const hits = await find(read, { shape, businessId, q, since: addSeconds(now, -DAYS_BACK * DAY_SECONDS) })
  return { object: 'search', shape, data: hits.map(shown), is_cut: isCut }
}

type Read = (work: (tx: Tx) => Promise<StoredHit[]>) => Promise<StoredHit[]>
interface Sought {
  shape: Shape
  businessId: string
  q: string
  since: Date
}

const RECENT: readonly SearchKind[] = ['payment', 'customer', 'subscription', 'session']

async function find(read: Read, { shape, businessId, q, since }: Sought): Promise<StoredHit[]> {
  const firstId = firstIdAt(since)
  switch (shape) {
    case 'recent':
      return inOrder(RECENT, (kind) => read((tx) => findNewest(tx, businessId, kind)))
    case 'id':
      return inOrder(SEARCH_KINDS, (kind) => read((tx) => findById(tx, businessId, kind, q.toLowerCase())))
    case 'receipt':
      return inOrder(['payment', 'refund'] as const, (kind) =>
        read((tx) => findByReceipt(tx, businessId, kind, q.toUpperCase())),
      )
    case 'email':
      return byEmail(read, businessId, q)
    case 'last4':
      return read((tx) => findByLast4(tx, businessId, q, firstId))
    case 'amount':
      return read((tx) => findByAmount(tx, businessId, centsOf(q), firstId))
    case 'text':
      return q.length < TEXT_MIN ? [] : byText(read, { businessId, q, since })
  }
}

async function byEmail(read: Read, businessId: string, email: string): Promise<StoredHit[]> {
  const customers = await read((tx) => findCustomersByEmail(tx, businessId, email))
  const ids = customers.map(({ id }) => id)
  const payments = ids.length === 0 ? [] : await read((tx) => findPaymentsOfCustomers(tx, businessId, ids))
  const sessions = await read((tx) => findByText(tx, businessId, 'session', email))
  return [...customers, ...payments, ...sessions]
}

async function byText(read: Read, { businessId, q, since }: Pick<Sought, 'businessId' | 'q' | 'since'>) {
  const named = await inOrder(TEXT_KINDS, (kind) => read((tx) => findByText(tx, businessId, kind, q)))
  const known = new Set(named.map(({ id }) => id))
  const referred = await read((tx) => findSessionsByReference(tx, businessId, q, since))
  return [...named, ...referred.filter(({ id }) => !known.has(id))]
}

/** One after another: a search takes one connection. */
async function inOrder<Kind>(kinds: readonly Kind[], read: (kind: Kind) => Promise<StoredHit[]>): Promise<StoredHit[]> {
  const found: StoredHit[] = []
  for (const kind of kinds) found.push(...(await read(kind)))
  return found
}

const centsOf = (text: string) => centsFromDecimal(Number(text.replace(',', '.'))) ?? 0

function shown({ currency, brand, last4, createdAt, ...hit }: StoredHit): SearchHit {
  return {
    ...hit,
    currency: currency && (currency === 'USD' ? 'usd' : 'cad'),
    card: brand === null || last4 === null ? null : { brand, last4 },
    created: epochSeconds(createdAt),
  }
}
