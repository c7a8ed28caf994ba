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

/** What a run did. */
export interface BillRun {
  /** Attempts, and bills that ended without one. */
  bills: number
  approved: number
  declined: number
  /** Charges whose outcome recovery resolves. */
  unknown: number
  /** `false` when its limit was reached. */
  isComplete: boolean
}

export interface RunScope {
  /** Only what is due by then, in the business's time; up to now unless given. */
  until?: Date
  /** All businesses unless given. */
  businessId?: string
  /** Subscriptions at most; 10,000 unless given. */
  limit?: number
}

/** Subscriptions that are read at once. */
const PAGE = 200
/** Charges that wait for the gateway at the same time. None of them holds a connection to the database meanwhile. */
const AT_ONCE = 32
const RUN_MAX = 10_000

/**
 * Bills what is due, oldest first, with at most one charge for each subscription. Any number of processes may run it at the same
 * time: what one of them changes first, the others leave.
 *
 * @see BIL-9, BIL-11
 */
export async function runDue(services: BillServices, scope: RunScope = {}): Promise<BillRun> {
  const run: BillRun = { bills: 0, approved: 0, declined: 0, unknown: 0, isComplete: true }
  const { limit = RUN_MAX } = scope
  const worked = new Set<string>()
  for (;;) {
    const due = await nextPage(services, scope, worked)
    if (due.length === 0) return run
    for (const { id } of due) worked.add(id)
    await billPage(services, due, (billed) => count(run, billed))
    if (worked.size >= limit) return { ...run, isComplete: false }
  }
}

/** Subscriptions that this run has not worked. Those that are due again, or still, wait for the next run. */
async function nextPage(
  { db, clock }: BillServices,
  { until, businessId, limit = RUN_MAX }: RunScope,
  worked: ReadonlySet<string>,
): Promise<DueSubscription[]> {
  const wanted = Math.min(PAGE, limit - worked.size)
  for (let read = wanted; ; read += worked.size) {
    const listed = await listDue(db, { now: clock.now(), until: until ?? null, businessId, limit: read })
    const due = listed.filter(({ id }) => !worked.has(id))
    if (due.length > 0 || listed.length < read) return due.slice(0, wanted)
  }
}

function count(run: BillRun, billed: Billed): void {
  if (billed === null) return
  run.bills++
  if (billed === 'approved' || billed === 'declined' || billed === 'unknown') run[billed]++
}

async function billPage(
  services: BillServices,
  due: readonly DueSubscription[],
  done: (billed: Billed) => void,
): Promise<void> {
  const loaded = await findSubscriptionsOfAll(services.db, due)
  const billingOf = await readBilling(services, loaded)
  const byId = new Map(loaded.map((one) => [one.subscription.id, one]))
  const waiting = [...due]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const one = byId.get(next.id)
      if (one) done(await billOne(services, next, one, billingOf(one)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
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

/** One that fails stops none of the others: it is looked at later, the longer it fails the later. */
async function billOne(
  services: BillServices,
  due: DueSubscription,
  loaded: LoadedSubscription,
  billing: Billing | null,
): Promise<Billed> {
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
