import {
  SEARCH_KINDS,
  type SearchHit,
  type SearchKind,
  type SearchResponse,
} from '../../../contract/dashboard/search-api.ts'
import { searchWords } from '../../../contract/search-text.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { firstIdAt, isUuid } from '../../lib/ids.ts'
import { amountIn } from '../amount-in.ts'
import { readNotIndexedSince } from '../session-reference-queries.ts'
import {
  findByAmount,
  findById,
  findByLast4,
  findByReceipt,
  findByText,
  findContractsOfCustomers,
  findCustomersByEmail,
  findNewest,
  findNewSessionsByReference,
  findPaymentsOfCustomers,
  findSessionsByReference,
  findSubscriptionsByText,
  HITS_MAX,
  type StoredHit,
  TEXT_KINDS,
} from './search-queries.ts'

const DAYS_BACK = 90
const DAY_SECONDS = 86_400
const STATEMENT_MS = 400
/**
 * Fewest UTF-8 bytes of a word. A single letter of an alphabet begins too many words; a Chinese character has three
 * bytes.
 */
const WORD_BYTES_MIN = 2

type Shape = SearchResponse['shape']

/** Tells from the form of a query what the person is looking for. */
function shapeOf(q: string): Shape {
  if (q === '') return 'recent'
  if (isUuid(q.toLowerCase())) return 'id'
  if (/^R[0-9A-HJKMNP-TV-Z]{10}$/i.test(q)) return 'receipt'
  if (/^\S*@\S*$/.test(q)) return 'email'
  if (/^\d{4}$/.test(q)) return 'last4'
  return amountIn(q) === null ? 'text' : 'amount'
}

/**
 * Searches everything of a business, and returns at most five hits of each kind. Kinds that take longer than 400 ms are
 * left out, and the response says so.
 */
export async function search(
  db: Db,
  { businessId, q, now }: { businessId: string; q: string; now: Date },
): Promise<SearchResponse> {
  const shape = shapeOf(q)
  const steps = stepsOf(shape, { businessId, q, now })
  const { hits, isCut } = await readSteps(db, steps)
  return { object: 'search', shape, data: hits.map(shown), is_cut: isCut }
}

/**
 * Reads the hits of some kinds.
 *
 * @param found hits of the steps before
 */
type Step = (reading: Db, found: readonly StoredHit[]) => Promise<StoredHit[]>

/** Reads one step after another on one connection, in one transaction unless a step times out. */
async function readSteps(db: Db, steps: readonly Step[]): Promise<{ hits: StoredHit[]; isCut: boolean }> {
  const hits: StoredHit[] = []
  const left = [...steps]
  let isCut = false
  while (left.length > 0) {
    try {
      await boundedRead(db, (reading) => readLeft(reading, left, hits), { statementMs: STATEMENT_MS })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unavailable') throw error
      isCut = true
      left.shift()
    }
  }
  return { hits, isCut }
}

/** Reads the remaining steps, and removes each one that is read. */
async function readLeft(reading: Db, left: Step[], hits: StoredHit[]): Promise<void> {
  for (let [step] = left; step; [step] = left) {
    hits.push(...(await step(reading, hits)))
    left.shift()
  }
}

interface Sought {
  businessId: string
  q: string
  now: Date
}

const RECENT: readonly SearchKind[] = ['payment', 'customer', 'subscription', 'session']

function stepsOf(shape: Shape, { businessId, q, now }: Sought): Step[] {
  const firstId = firstIdAt(addSeconds(now, -DAYS_BACK * DAY_SECONDS))
  switch (shape) {
    case 'recent':
      return RECENT.map((kind) => (reading) => findNewest(reading, businessId, kind))
    case 'id':
      return SEARCH_KINDS.map((kind) => (reading) => findById(reading, businessId, kind, q.toLowerCase()))
    case 'receipt':
      return (['payment', 'refund'] as const).map(
        (kind) => (reading) => findByReceipt(reading, businessId, kind, q.toUpperCase()),
      )
    case 'email':
      return stepsByEmail(businessId, q)
    case 'last4':
      return [(reading) => findByLast4(reading, businessId, q, firstId)]
    case 'amount':
      return [(reading) => findByAmount(reading, businessId, amountIn(q) ?? 0, firstId)]
    case 'text':
      return isSearched(q) ? stepsByText({ businessId, q, now }, firstId) : []
  }
}

const isSearched = (q: string) => searchWords(q).some((word) => Buffer.byteLength(word) >= WORD_BYTES_MIN)

function stepsByEmail(businessId: string, email: string): Step[] {
  return [
    (reading) => findCustomersByEmail(reading, businessId, email),
    async (reading, customers) => {
      const ids = customers.map(({ id }) => id)
      return ids.length === 0 ? [] : findPaymentsOfCustomers(reading, businessId, ids)
    },
    (reading) => findByText(reading, businessId, 'session', email),
  ]
}

function stepsByText({ businessId, q, now }: Sought, firstId: string): Step[] {
  return [
    ...TEXT_KINDS.map(
      (kind): Step =>
        (reading) =>
          findByText(reading, businessId, kind, q),
    ),
    (reading) => findSubscriptionsByText(reading, businessId, q),
    async (reading, found) => {
      const customers = idsOf(found, 'customer')
      if (customers.length === 0) return []
      const known = new Set(idsOf(found, 'contract'))
      const theirs = await findContractsOfCustomers(reading, businessId, customers)
      return theirs.filter(({ id }) => !known.has(id)).slice(0, HITS_MAX - known.size)
    },
    async (reading, found) => {
      const isKnown = new Set(found.map(({ id }) => id))
      const since = await readNotIndexedSince(reading, now)
      const newest = await findNewSessionsByReference(reading, businessId, q, since)
      const known = new Set(newest.map(({ id }) => id))
      const older = await findSessionsByReference(reading, businessId, q, firstId)
      return [...newest, ...older.filter(({ id }) => !known.has(id))]
        .filter(({ id }) => !isKnown.has(id))
        .slice(0, HITS_MAX)
    },
  ]
}

const idsOf = (hits: readonly StoredHit[], kind: SearchKind) =>
  hits.filter((hit) => hit.kind === kind).map(({ id }) => id)

function shown({ currency, brand, last4, createdAt, ...hit }: StoredHit): SearchHit {
  return {
    ...hit,
    currency: currency && (currency === 'USD' ? 'usd' : 'cad'),
    card: brand === null || last4 === null ? null : { brand, last4 },
    created: epochSeconds(createdAt),
  }
}
