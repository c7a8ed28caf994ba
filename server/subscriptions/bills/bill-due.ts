import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import { charge } from '../../payments/charge/charge.ts'
import { newSale } from '../../payments/new-operation.ts'
import { saveChange } from '../change-queries.ts'
import { isUnsigned } from '../contract.ts'
import { saveTransition } from '../lifecycle/change-subscription.ts'
import { dueAgainAt, dueAtOf } from '../lifecycle/due.ts'
import { nextStep, type Step } from '../lifecycle/next-step.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { findSubscription } from '../subscription-queries.ts'
import { type BillServices, billCharge, type DueBill } from './bill-charge.ts'
import { recordUnsentBill } from './bill-charge-queries.ts'
import { blockedChange, detachedRecord, type OpenBill } from './bill-record.ts'

/** Result of billing a due subscription. */
export type Billed =
  | 'approved'
  | 'declined'
  /** The outcome of the charge is unknown; recovery inquires. */
  | 'unknown'
  /** Nothing was sent: the gateway is unavailable. */
  | 'not sent'
  /** The bill ended without a request: the card is blocked. */
  | 'blocked'
  /** There was nothing to bill. */
  | null

/** What is needed to bill a due subscription. */
export interface Billing {
  business: Business
  terminals: readonly Terminal[]
  card: BilledCard | undefined
}

/** In practice, another writer changes a subscription first only a few times. */
const TRIES_MAX = 5
const DAY_SECONDS = 86_400
/** How soon a subscription is read again if its charge has no outcome yet. Recovery resolves the charge sooner. */
const LEASE_SECONDS = 900
/** Longer than any charge whose process is alive. Until then, the outcome of the charge sets the due time. */
const CHARGE_SECONDS = 60

/**
 * Does what is due for one subscription. If the subscription has changed meanwhile, it is loaded again and the decision
 * is made again.
 *
 * @see BIL-9 to BIL-12, BIL-20 to BIL-22, SUB-11
 */
export async function billDue(services: BillServices, given: LoadedSubscription, billing: Billing): Promise<Billed> {
  let loaded: LoadedSubscription | undefined = given
  let { card } = billing
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const now = businessNow(services.clock, billing.business)
    const { dueAt, businessId, id } = loaded.subscription
    if (dueAt === null || dueAt > now) return null
    const done = await takeStep(services, loaded, nextStep(loaded, now, billing.business), { ...billing, card, now })
    if (done !== 'overtaken') return done
    loaded = await findSubscription(services.db, businessId, id)
    if (!loaded) throw new Error('a due subscription is missing')
    card = await findBilledCard(services.db, businessId, loaded.subscription.storedCardId)
  }
  return null
}

type Now = Billing & { now: Date }

async function takeStep(
  services: BillServices,
  before: LoadedSubscription,
  step: Step,
  billing: Now,
): Promise<Billed | 'overtaken'> {
  const { db, log } = services
  const { now } = billing
  const save = async (change: Omit<Parameters<typeof saveChange>[1], 'before'>) =>
    (await saveChange(db, { before, ...change })) ? null : 'overtaken'
  const { subscription } = before
  switch (step.kind) {
    case 'boundary':
      return (await saveTransition(services, before, step.passed, now)) ? null : 'overtaken'
    case 'charging':
      if (beganAgo(before, now) < CHARGE_SECONDS) return null
      return save({ after: { ...subscription, dueAt: dueAgainAt(before, now, LEASE_SECONDS) } })
    case 'hold': {
      const held = { ...subscription, catchUpHeldAt: now }
      log.warn({ subscription: subscription.id }, 'too many bills were missed; the merchant decides about them')
      return save({ after: { ...held, dueAt: dueAtOf({ ...before, subscription: held }) } })
    }
    case 'wait':
      return save({ after: { ...subscription, dueAt: step.dueAt } })
    case 'open':
    case 'charge':
      if (isUnsigned(before)) {
        log.warn({ subscription: subscription.id }, 'a bill is due, but the contract is not signed')
        return save({ after: { ...subscription, dueAt: dueAgainAt(before, now, DAY_SECONDS) } })
      }
      if (step.kind === 'open') return save(openedFor(before, step))
      return chargeOrEnd(services, before, { ...before, subscription: step.after, bill: step.bill }, billing)
  }
}

/** The next thing due is the attempt on the bill, later on the bill's day. */
const openedFor = (before: LoadedSubscription, { after, bill }: Extract<Step, { kind: 'open' }>) => ({
  after: { ...after, dueAt: dueAtOf({ ...before, subscription: after, bill }) },
  bills: [bill],
})

/** @returns seconds since the last attempt on the open bill; `Infinity` before the first */
const beganAgo = ({ bill }: LoadedSubscription, now: Date) =>
  bill?.lastAttemptAt ? (now.getTime() - bill.lastAttemptAt.getTime()) / 1_000 : Infinity

async function chargeOrEnd(
  services: BillServices,
  before: LoadedSubscription,
  charged: OpenBill,
  { business, terminals, card, now }: Now,
): Promise<Billed | 'overtaken'> {
  const { currency } = charged.subscription
  const terminal = terminals.find((one) => one.currency === currency)
  if (!terminal || !card) throw new Error(`the business has no terminal in ${currency}, or the subscription no card`)
  const trigger = charged.bill.failedAttempts === 0 ? 'scheduled' : 'retry'
  const due: DueBill = { business, terminal, card, before, charged, trigger }
  if (card.detachedAt !== null) return failDetached(services, due, now)
  if (card.chargeBlock !== null) {
    const change = await blockedChange(services, business, { before, charged }, now)
    return (await saveChange(services.db, change)) ? 'blocked' : 'overtaken'
  }
  return chargeDue(services, due)
}

async function chargeDue(services: BillServices, due: DueBill): Promise<Billed | 'overtaken'> {
  const charged = await charge(services, await billCharge(services, due))
  if (charged.outcome === 'recorded') return charged.response
  return charged.outcome === 'blocked' ? 'overtaken' : charged.outcome
}

async function failDetached(services: BillServices, due: DueBill, now: Date): Promise<Billed | 'overtaken'> {
  const { db, clock, timings } = services
  const { business, terminal, card, before, charged } = due
  const { id: businessId } = business
  const sale = newSale(
    {
      businessId,
      owner: { kind: 'bill', id: charged.bill.id },
      terminal,
      amount: charged.subscription.amount,
      card,
      storedCard: { id: card.id, customerId: card.customerId },
    },
    clock.now(),
    timings,
  )
  const { change, payment } = await detachedRecord(services, { ...due, sale, now }, charged)
  return (await recordUnsentBill(db, { change: { ...change, before }, payment }, sale)) ? 'declined' : 'overtaken'
}
