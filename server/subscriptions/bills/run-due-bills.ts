import { businessNow } from '../../businesses/business.ts'
import { findBusinesses } from '../../businesses/business-queries.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import { findBilledCards } from '../../customers/billed-card-queries.ts'
import { addSeconds } from '../../lib/clock.ts'
import { soonAfter } from '../lifecycle/bill-outcome.ts'
import { dueAtOf } from '../lifecycle/due.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { findSubscriptionsOfAll } from '../subscription-queries.ts'
import type { BillServices } from './bill-charge.ts'
import { type Billed, type Billing, billDue } from './bill-due.ts'
import { type DueSubscription, listDue, postpone } from './bill-queries.ts'
import { groupedBillWrites } from './bill-writes.ts'

/** Result of a run. */
export interface BillRun {
  /** Attempts, plus bills that ended without one. */
  bills: number
  approved: number
  declined: number
  /** Charges whose outcome is left to recovery. */
  unknown: number
  /** `false` if the run stopped at its limit. */
  isComplete: boolean
}

export interface RunScope {
  /** Only what is due by this time, in the business's time; by default, the current time. */
  until?: Date
  /** All businesses by default. */
  businessId?: string
  /** Maximum number of subscriptions; 10,000 by default. */
  limit?: number
}

/** Number of subscriptions that are read at once, while earlier ones are being charged. */
const PAGE = 200
/**
 * Number of charges that may wait for the gateway at the same time. None of them holds a database connection meanwhile.
 */
const AT_ONCE = 64
const RUN_MAX = 10_000

/** Due subscription with what is needed to bill it. */
interface Work {
  due: DueSubscription
  loaded: LoadedSubscription
  billing: Billing | null
}

/**
 * Bills what is due, oldest first, with at most one charge per subscription. Any number of processes may run this at
 * the same time: whichever changes a subscription first wins, and the others leave it.
 *
 * @see BIL-9, BIL-11
 */
export async function runDue(given: BillServices, scope: RunScope = {}): Promise<BillRun> {
  const services = { ...given, billWrites: groupedBillWrites() }
  const run: BillRun = { bills: 0, approved: 0, declined: 0, unknown: 0, isComplete: true }
  const { limit = RUN_MAX } = scope
  const worked = new Set<string>()
  const waiting: Work[] = []
  let reading: Promise<void> | null = null
  let isRead = false

  async function readPage(): Promise<void> {
    const due = await nextPage(services, scope, worked)
    for (const { id } of due) worked.add(id)
    // Subscriptions of one business are kept together, so that their steps are written together.
    waiting.push(
      ...(await loadPage(
        services,
        sortedBy(due, ({ businessId }) => businessId),
      )),
    )
    if (worked.size >= limit) run.isComplete = false
    isRead = due.length === 0 || worked.size >= limit
  }

  async function take(): Promise<Work | undefined> {
    while (waiting.length < PAGE / 2 && !isRead) {
      reading ??= readPage().finally(() => {
        reading = null
      })
      // If reading a page fails while others are being charged, it is read again after them; a failure then fails the
      // run.
      reading.catch(() => {})
      if (waiting.length > 0) break
      await reading
    }
    return waiting.shift()
  }

  async function work(): Promise<void> {
    for (let next = await take(); next; next = await take()) count(run, await billOne(services, next))
  }

  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return run
}

/**
 * Returns subscriptions that this run has not processed yet. Those that are still due, or due again, wait for the next
 * run.
 */
async function nextPage(
  { db, clock }: BillServices,
  { until, businessId, limit = RUN_MAX }: RunScope,
  worked: ReadonlySet<string>,
): Promise<DueSubscription[]> {
  const wanted = Math.min(PAGE, limit - worked.size)
  // Subscriptions being charged still count as due; at most two pages of them exist.
  const inProgress = Math.min(2 * PAGE, worked.size)
  for (let read = wanted + inProgress; ; read += worked.size) {
    const listed = await listDue(db, { now: clock.now(), until: until ?? null, businessId, limit: read })
    const due = listed.filter(({ id }) => !worked.has(id))
    if (due.length > 0 || listed.length < read) return due.slice(0, wanted)
  }
}

const sortedBy = <One>(list: readonly One[], key: (one: One) => string) =>
  list.toSorted((a, b) => Number(key(a) > key(b)) - Number(key(a) < key(b)))

function count(run: BillRun, billed: Billed): void {
  if (billed === null) return
  run.bills++
  if (billed === 'approved' || billed === 'declined' || billed === 'unknown') run[billed]++
}

async function loadPage(services: BillServices, due: readonly DueSubscription[]): Promise<Work[]> {
  const loaded = await findSubscriptionsOfAll(services.db, due)
  const billingOf = await readBilling(services, loaded)
  const byId = new Map(loaded.map((one) => [one.subscription.id, one]))
  return due.flatMap((one) => {
    const found = byId.get(one.id)
    return found ? [{ due: one, loaded: found, billing: billingOf(found) }] : []
  })
}

async function readBilling(
  { db, vault }: BillServices,
  loaded: readonly LoadedSubscription[],
): Promise<(one: LoadedSubscription) => Billing | null> {
  const businessIds = [...new Set(loaded.map(({ subscription }) => subscription.businessId))]
  const cardsWanted = loaded.flatMap(({ subscription: { businessId, storedCardId: id } }) =>
    id === null ? [] : [{ businessId, id }],
  )
  const businesses = new Map((await findBusinesses(db, businessIds)).map((business) => [business.id, business]))
  const terminals = await findTerminals(db, businessIds)
  const cards = await findBilledCards(db, cardsWanted)
  const sealed = await vault.find(cardsWanted)
  return ({ subscription: { businessId, storedCardId } }) => {
    const business = businesses.get(businessId)
    if (!business) return null
    const found = storedCardId === null ? undefined : cards.get(storedCardId)
    const card = found && { ...found, sealed: sealed.get(found.id) }
    return { business, terminals: terminals.filter((terminal) => terminal.businessId === businessId), card }
  }
}

/** Bills one subscription. A failure does not stop the run; that subscription is postponed with a growing delay. */
async function billOne(services: BillServices, { due, loaded, billing }: Work): Promise<Billed> {
  const { db, clock, log } = services
  try {
    if (!billing) throw new Error('the business of a subscription is missing')
    return await billDue(services, loaded, billing)
  } catch (error) {
    log.error({ err: error, subscription: due.id }, 'a due subscription could not be billed; it is tried again later')
    const now = billing ? businessNow(clock, billing.business) : clock.now()
    const until = addSeconds(now, soonAfter(dueAtOf(loaded) ?? now, now))
    await postpone(db, due, until).catch((failure: unknown) =>
      log.error({ err: failure, subscription: due.id }, 'a due subscription could not be postponed'),
    )
    return null
  }
}
