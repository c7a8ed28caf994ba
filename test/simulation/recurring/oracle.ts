import { type DayNumber, firstAtOrAfter, localDay, scheduledDay, startOf, timeOf } from './days.ts'
import { foundOf, OUTCOMES, type OutcomeName } from './gateway-outcomes.ts'
import { type ClosedReason, keyOf, type Model, type ModelBill, type ModelPayment } from './model.ts'

// The scheduler's effect on a subscription, by the specification alone. Nothing here is imported from the engine.

const ATTEMPTS = 4
const RETRY_DAYS = 3

/** Takes the next outcome of the subscription's card. */
export type Sell = () => OutcomeName
/** Place at which the process of a charge dies. */
export type Crash = 'after:intent_commit' | 'after:gateway_result' | 'after:result_commit'

export const today = (model: Model, nowMs: number) => localDay(nowMs, model.zone)
export const dayOf = (model: Model, k: number): DayNumber => scheduledDay(model.anchor, model.cadence, k)

/** Applies scheduled changes: first a cancellation, then a pause (SUB-11). */
export function passBoundary(model: Model, nowMs: number): void {
  if (model.status !== 'active') return
  if (model.cancelAtMs !== null && model.cancelAtMs <= nowMs) {
    cancel(model)
    return
  }
  const { pause } = model
  if (pause?.status !== 'pending' || pause.scheduledForMs === null || pause.scheduledForMs > nowMs) return
  pauseNow(model)
  model.pause = { ...pause, status: 'active', pausedAtMs: pause.scheduledForMs, remainingSeconds: 0 }
}

/** Returns the model as a read or a preview shows it; these write nothing, the scheduler does (INV-34). */
export function asOf(model: Model, nowMs: number): Model {
  const shown = structuredClone(model)
  passBoundary(shown, nowMs)
  return shown
}

export function cancel(model: Model): void {
  if (!model.openSale) closeBill(model, 'canceled')
  Object.assign(model, { status: 'canceled', nextDay: null, pause: null, cancelAtMs: null, isHeld: false })
}

export function pauseNow(model: Model): void {
  if (!model.openSale) closeBill(model, 'paused')
  Object.assign(model, { status: 'paused', nextDay: null, isHeld: false })
}

function closeBill(model: Model, reason: ClosedReason): void {
  if (model.bill) model.bills.set(keyOf(model.bill), reason)
  model.bill = null
}

/** Runs the scheduler once: at most one sale per subscription (BIL-9 to BIL-12). */
export function runModel(model: Model, nowMs: number, sell: Sell, crash: Crash | null = null): void {
  passBoundary(model, nowMs)
  if (model.status !== 'active' || model.openSale || model.isHeld) return
  if (model.bill) {
    if (model.bill.dueMs <= nowMs) attempt(model, model.bill, nowMs, sell, crash)
    return
  }
  if (model.nextDay === null || startOf(model.nextDay, model.zone) > nowMs) return
  if (isTooMuchMissed(model, nowMs)) {
    model.isHeld = true
    return
  }
  const bill = openBill(model, nowMs)
  bill.dueMs = Math.max(nowMs, timeOf(bill.start, model.runsAt, model.zone))
  if (bill.dueMs <= nowMs) attempt(model, bill, nowMs, sell, crash)
}

export function openBill(model: Model, nowMs: number): ModelBill {
  const { segment, next: k } = model
  const bill = { segment, k, start: dayOf(model, k), end: dayOf(model, k + 1), failed: 0, dueMs: nowMs }
  Object.assign(model, { bill, next: k + 1, nextDay: bill.end })
  model.bills.set(keyOf(bill), 'PENDING')
  return bill
}

function isTooMuchMissed(model: Model, nowMs: number): boolean {
  const { nextDay, next, cadence, runsAt, missedMax, decidedThrough } = model
  if (nextDay === null || (decidedThrough !== null && nextDay <= decidedThrough)) return false
  const today = localDay(nowMs, model.zone)
  const day = timeOf(today, runsAt, model.zone) <= nowMs ? today : today - 1
  // A date is not missed before its day is over.
  if (nextDay >= day) return false
  let missed = 0
  while (dayOf(model, next + missed) <= day) missed += 1
  const isLong = cadence.unit === 'month' || cadence.unit === 'year'
  return missed > missedMax || (isLong && dayOf(model, next + 1) < day)
}

function attempt(model: Model, bill: ModelBill, nowMs: number, sell: Sell, crash: Crash | null): void {
  if (model.card === 'blocked') {
    endUnpaid(model, 'do_not_retry', nowMs)
    return
  }
  if (model.card === 'detached') {
    recordFailed(model, keyOf(bill))
    endUnpaid(model, 'card_detached', nowMs)
    return
  }
  if (crash === 'after:intent_commit') {
    model.openSale = { kind: 'bill', outcome: null, sentMs: nowMs }
    return
  }
  const outcome = sell()
  if (crash === 'after:gateway_result' || OUTCOMES[outcome].learned === 'unknown') {
    model.openSale = { kind: 'bill', outcome, sentMs: nowMs }
    return
  }
  learn(model, outcome, nowMs)
  // The bill counts as being charged until recovery has sent the reversal.
  if (crash && outcome === 'partial' && model.bill) model.openSale = { kind: 'reversal', outcome, sentMs: nowMs }
}

/** Retries an open bill for the merchant, due or not (SUB-34). */
export function chargeNow(model: Model, nowMs: number, sell: Sell): 'refused' | 'unknown' | 'learned' {
  passBoundary(model, nowMs)
  if (!model.bill || model.openSale || model.card !== 'ok') return 'refused'
  const outcome = sell()
  if (OUTCOMES[outcome].learned === 'unknown') {
    model.openSale = { kind: 'bill', outcome, sentMs: nowMs }
    return 'unknown'
  }
  learn(model, outcome, nowMs)
  return 'learned'
}

/** Lets recovery resolve an open sale (BIL-21). */
export function resolve(model: Model, nowMs: number): void {
  const { openSale: sale } = model
  model.openSale = null
  // The payer of a page got no confirmation: an approval is reversed, and a decline does not count (PAY-20).
  if (!sale || sale.kind === 'reversal' || sale.kind === 'link') return
  const found = foundOf(sale.outcome)
  if (sale.kind === 'resume') {
    // Its caller got 402: an approval is reversed.
    if (found !== null && OUTCOMES[found].learned !== 'approved') resumeDeclined(model, found)
    return
  }
  // A bill that was never charged is still due.
  if (found === null) {
    if (model.status !== 'active') closeBill(model, model.status === 'paused' ? 'paused' : 'canceled')
    return
  }
  learn(model, found, nowMs, sale.sentMs)
}

/** Applies a decline, which does not change the subscription, whenever it is learned (SUB-33). */
export function resumeDeclined(model: Model, outcome: OutcomeName): void {
  model.payments.push({ status: 'failed', amount: model.amount, refunded: 0, period: `${model.segment + 1}/0` })
  if (OUTCOMES[outcome].learned === 'never') block(model)
}

/** @param sentMs the day of an attempt is the day of its sending, even if its outcome is found later */
function learn(model: Model, outcome: OutcomeName, nowMs: number, sentMs = nowMs): void {
  const { bill } = model
  if (!bill) throw new Error('A sale without a bill')
  if (OUTCOMES[outcome].learned === 'approved') {
    const payment = recordPaid(model, keyOf(bill))
    model.bills.set(keyOf(bill), 'FULFILLED')
    model.bill = null
    coverPeriod(model, bill.start, bill.end, payment)
    completeIfLast(model)
    return
  }
  recordFailed(model, keyOf(bill))
  bill.failed += 1
  const never = OUTCOMES[outcome].learned === 'never'
  if (never) block(model)
  if (model.status !== 'active') closeBill(model, model.status === 'paused' ? 'paused' : 'canceled')
  else if (never) endUnpaid(model, 'do_not_retry', nowMs)
  else if (bill.failed >= ATTEMPTS) endUnpaid(model, 'exhausted', nowMs)
  else bill.dueMs = timeOf(today(model, sentMs) + RETRY_DAYS, model.runsAt, model.zone)
}

function recordFailed(model: Model, period: string): void {
  model.payments.push({ status: 'failed', amount: model.amount, refunded: 0, period })
}

export function recordPaid(model: Model, period: string): ModelPayment {
  model.paidBills += 1
  const payment: ModelPayment = { status: 'succeeded', amount: model.amount, refunded: 0, period }
  model.payments.push(payment)
  return payment
}

export function coverPeriod(model: Model, start: DayNumber, end: DayNumber, payment: ModelPayment): void {
  const [fromMs, throughMs] = [startOf(start, model.zone), startOf(end, model.zone)]
  const seconds = (throughMs - fromMs) / 1_000
  model.cover = { fromMs, throughMs, throughDay: end, seconds, servedMs: 0, servedSinceMs: fromMs, payment }
}

export function completeIfLast(model: Model): void {
  if (model.paidBills !== model.installments || model.status === 'canceled') return
  Object.assign(model, { status: 'completed', nextDay: null, pause: null, cancelAtMs: null })
}

/** Ends a bill unpaid, after the last attempt or if none may follow (BIL-12, BIL-23). */
function endUnpaid(model: Model, reason: ClosedReason, nowMs: number): void {
  closeBill(model, reason)
  if (model.afterLastRetry === 'cancel') {
    cancel(model)
    return
  }
  if (model.afterLastRetry === 'pause' && model.pause === null) {
    pauseNow(model)
    model.pause = {
      status: 'active',
      mode: 'immediate',
      scheduledForMs: null,
      pausedAtMs: nowMs,
      behavior: null,
      remainingSeconds: 0,
    }
    return
  }
  skipElapsed(model, nowMs)
}

/** Skips dates whose whole period is over (BIL-12). */
export function skipElapsed(model: Model, nowMs: number): void {
  const day = today(model, nowMs)
  while (model.nextDay !== null && dayOf(model, model.next + 1) <= day) {
    model.bills.set(keyOf({ segment: model.segment, k: model.next }), 'skipped')
    model.next += 1
    model.nextDay = dayOf(model, model.next)
  }
}

/** Returns the next day of the schedule after today, paid or not. */
export function endOfRunningPeriod(model: Model, nowMs: number): DayNumber {
  const day = today(model, nowMs)
  if (model.nextDay !== null && model.nextDay > day) return model.nextDay
  return dayOf(model, firstAtOrAfter(model.anchor, model.cadence, day + 1))
}

/** Blocks the card. A detached card stays detached, even if a decline of it is found afterwards. */
function block(model: Model): void {
  if (model.card === 'ok') model.card = 'blocked'
}
