import type { EventType } from '../../contract/event.ts'
import type { NewEvent } from './event.ts'
import { withoutLinks } from './event-links.ts'

// Most members of a session have the same value in most sessions, usually none, and took up a third of a stored event.
// They are left out, and a number in the event says which members may be missing.

type Usual = null | string | number | readonly never[] | Readonly<Record<never, never>>

type Members = Record<string, unknown>

/** Data of an event as stored in the database. */
export type StoredData = NewEvent['data'] & {
  /** Number of the list by which members of the object are left out; absent if it has all members. */
  left_out?: number
}

/** Usual values of a session's details. */
const SESSION_1: Readonly<Record<string, Usual>> = {
  payment_status: 'PAID',
  currency: 'USD',
  customer_named_by: 'merchant',
  ui_mode: 'hosted',
  mode: 'payment',
  attempt_count: 0,
  max_attempts: 3,
  amount_subtotal: null,
  amount_tax: null,
  amount_discount: null,
  customer_id: null,
  customer_email: null,
  customer_name: null,
  success_url: null,
  cancel_url: null,
  description: null,
  client_reference_id: null,
  metadata: {},
  line_items: [],
  discounts: [],
  billing_address_collection: null,
  shipping_address_collection: null,
  billing_address: null,
  shipping_address: null,
  consent_collection: null,
  consent: null,
  surcharge: null,
  subscription: null,
  subscription_id: null,
  last_decline: null,
  completed_at: null,
  canceled_at: null,
  transaction: null,
}

interface LeftOut {
  /** Members of the object with their usual values. */
  members: Readonly<Record<string, Usual>>
  /** Members of its transaction that repeat the value of another member. */
  repeats: Readonly<Record<string, string>>
}

/**
 * Lists by number. A list that events were recorded with never changes; leaving out other members requires a new number
 * (EVT-31).
 */
export const LEFT_OUT: ReadonlyMap<number, LeftOut> = new Map([
  [1, { members: SESSION_1, repeats: { transactionID: 'id', receiptID: 'receipt_id', response_code: 'code' } }],
])

const listFor = (type: EventType) => (type.startsWith('checkout.session.') ? 1 : null)

/**
 * Returns the data to store. An object that would be read back with an additional member, or with another value, is
 * stored whole. Links that act for a customer are not stored.
 */
export function storedData({ type, data }: Pick<NewEvent, 'type' | 'data'>): StoredData {
  const number = listFor(type)
  const list = number === null ? undefined : LEFT_OUT.get(number)
  if (number === null || !list) return withoutLinks(data)
  const object: Members = {}
  let unlisted = 0
  let members = 0
  for (const [name, value] of Object.entries(data.object)) {
    if (value === undefined) continue
    members += 1
    const usual = list.members[name]
    if (usual === undefined) unlisted += 1
    if (usual === undefined || !isUsual(value, usual)) object[name] = value
  }
  if (members - unlisted < Object.keys(list.members).length) return data
  if (object.transaction !== undefined) {
    const transaction = withoutRepeats(object.transaction as Members, list.repeats)
    if (transaction === null) return data
    object.transaction = transaction
  }
  return { ...data, object, left_out: number }
}

export function readStoredData({ left_out: number, ...data }: StoredData): NewEvent['data'] {
  if (number === undefined) return data
  const list = LEFT_OUT.get(number)
  if (!list) throw new Error(`An event was recorded with list ${number}, which is unknown`)
  const object: Members = { ...list.members, ...data.object }
  if (object.transaction) object.transaction = withRepeats(object.transaction as Members, list.repeats)
  return { ...data, object }
}

/** @returns `null` if a member does not repeat the other */
function withoutRepeats(transaction: Members, repeats: LeftOut['repeats']): Members | null {
  const names = Object.entries(repeats)
  if (names.some(([name, of]) => transaction[name] === undefined || transaction[name] !== transaction[of])) return null
  return Object.fromEntries(Object.entries(transaction).filter(([name]) => repeats[name] === undefined))
}

const withRepeats = (transaction: Members, repeats: LeftOut['repeats']): Members => ({
  ...transaction,
  ...Object.fromEntries(Object.entries(repeats).map(([name, of]) => [name, transaction[of]])),
})

function isUsual(value: unknown, usual: Usual): boolean {
  if (typeof usual !== 'object' || usual === null || typeof value !== 'object' || value === null) return value === usual
  return Array.isArray(value) === Array.isArray(usual) && Object.keys(value).length === 0
}
