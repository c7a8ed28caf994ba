import { firstAtOrAfter, scheduledDay, startOf } from './days.ts'
import type { Death } from './dying.ts'
import { OUTCOMES, REVERSALS, type ReversalName } from './gateway-outcomes.ts'
import type { Cover, Model, ModelPayment } from './model.ts'
import {
  cancel,
  completeIfLast,
  coverPeriod,
  endOfRunningPeriod,
  openBill,
  passBoundary,
  pauseNow,
  recordPaid,
  resumeDeclined,
  type Sell,
  skipElapsed,
  today,
} from './oracle.ts'

// The effect of a merchant's request on a subscription, by the specification alone: the status of the response, and the
// change.

export interface PauseBody {
  mode: 'immediate' | 'period_end'
  unused_time_behavior?: 'preserve_time' | 'external_refund'
  refund_confirmed?: boolean
  refund_reference?: string
}

/** Returns the remaining seconds of paid time, rounded up (SUB-22). */
export function remainingSeconds({ cover }: Model, nowMs: number): number {
  if (!cover || cover.payment.status === 'voided') return 0
  const from = Math.max(Math.floor(nowMs / 1_000) * 1_000, cover.fromMs)
  return Math.max(0, (cover.throughMs - from) / 1_000)
}

/**
 * Returns the end of the paid time as a pause shows it, in seconds: for a voided payment the start of its period
 * (SUB-20, BIL-30).
 */
export function paidThroughOf({ cover, pause: paused }: Model): number {
  const pausedMs = paused?.pausedAtMs ?? paused?.scheduledForMs ?? 0
  const paidMs = cover && (cover.payment.status === 'voided' ? cover.fromMs : cover.throughMs)
  return Math.floor((paused?.mode === 'immediate' && paidMs !== null ? paidMs : pausedMs) / 1_000)
}

/** SUB-24, SUB-25. */
export function unusedAmounts(model: Model, nowMs: number): { unused: number; suggested: number } {
  const { cover } = model
  const seconds = remainingSeconds(model, nowMs)
  if (!cover || seconds === 0) return { unused: 0, suggested: 0 }
  const exact =
    (2n * BigInt(cover.payment.amount) * BigInt(seconds) + BigInt(cover.seconds)) / (2n * BigInt(cover.seconds))
  const unused = Math.min(Number(exact), cover.payment.amount)
  return { unused, suggested: Math.min(unused, cover.payment.amount - cover.payment.refunded) }
}

export function pause(model: Model, body: PauseBody, nowMs: number): number {
  const { mode, unused_time_behavior: behavior = null } = body
  if (mode === 'period_end' && (behavior !== null || body.refund_confirmed !== undefined)) return 422
  if (behavior === 'external_refund' && !(body.refund_confirmed && body.refund_reference)) return 422
  passBoundary(model, nowMs)
  if (model.status !== 'active' || model.cancelAtMs !== null || model.pause !== null) return 409
  if (mode === 'period_end') {
    const scheduledForMs = startOf(endOfRunningPeriod(model, nowMs), model.zone)
    model.pause = { status: 'pending', mode, scheduledForMs, pausedAtMs: null, behavior: null, remainingSeconds: 0 }
    return 200
  }
  if (model.openSale) return 409
  const seconds = remainingSeconds(model, nowMs)
  if (seconds > 0 && behavior === null) return 422
  if (model.cover && seconds > 0) stopServing(model.cover, seconds, nowMs)
  pauseNow(model)
  model.pause = {
    status: 'active',
    mode,
    scheduledForMs: null,
    pausedAtMs: nowMs,
    behavior,
    remainingSeconds: seconds,
  }
  return 200
}

/** Milliseconds of a day of 25 hours, on which one hour occurs twice. */
const ROUNDED_MS = 25 * 3_600_000

/** Ends the service. It is counted by the clock alone, whatever the end of the paid time is said to be. */
function stopServing(cover: Cover, remaining: number, nowMs: number): void {
  cover.servedMs += Math.max(0, nowMs - cover.servedSinceMs)
  assertNotGiven(cover, remaining * 1_000)
}

function assertNotGiven({ servedMs, seconds }: Cover, toComeMs: number): void {
  if (servedMs + toComeMs > seconds * 1_000 + ROUNDED_MS)
    throw new Error(
      `INV-115 ${seconds} s were paid, ${servedMs / 1_000} s served, and ${toComeMs / 1_000} s are to come`,
    )
}

export function undoPause(model: Model, nowMs: number): number {
  passBoundary(model, nowMs)
  if (model.status !== 'active' || model.pause?.status !== 'pending') return 409
  model.pause = null
  return 200
}

export function cancelNow(model: Model, nowMs: number): number {
  passBoundary(model, nowMs)
  if (model.status === 'canceled' || model.status === 'completed') return 409
  cancel(model)
  return 200
}

export function cancelAtPeriodEnd(model: Model, wanted: boolean, nowMs: number): number {
  passBoundary(model, nowMs)
  if (model.status !== 'active') return 409
  if (wanted === (model.cancelAtMs !== null)) return 200
  model.cancelAtMs = wanted ? startOf(endOfRunningPeriod(model, nowMs), model.zone) : null
  if (wanted) model.pause = null
  return 200
}

/** Applies the merchant's decision about missed dates (BIL-11). */
export function releaseMissed(model: Model, missed: 'bill' | 'skip', nowMs: number): number {
  passBoundary(model, nowMs)
  if (!model.isHeld) return 409
  model.isHeld = false
  model.decidedThrough = today(model, nowMs)
  if (missed === 'skip') skipElapsed(model, nowMs)
  else openBill(model, nowMs)
  return 200
}

/** Returns whether a resume from today charges. */
export function chargesToday({ pause: paused }: Model): boolean {
  return !(paused?.behavior === 'preserve_time' && paused.remainingSeconds > 0)
}

export function resume(model: Model, anchor: 'now' | 'unchanged', nowMs: number, sell: Sell): number {
  passBoundary(model, nowMs)
  if (model.status !== 'paused' || model.openSale) return 409
  if (anchor === 'unchanged') return resumeUnchanged(model, nowMs)
  return chargesToday(model) ? resumeFromToday(model, nowMs, sell) : resumePreserved(model, nowMs)
}

/** SUB-28, SUB-29. */
function resumeUnchanged(model: Model, nowMs: number): number {
  const { anchor, cadence, cover } = model
  const day = today(model, nowMs)
  if (cover) cover.servedSinceMs = nowMs
  const isPaid = cover !== null && cover.payment.status !== 'voided' && day < cover.throughDay
  model.next = isPaid
    ? firstAtOrAfter(anchor, cadence, cover.throughDay)
    : Math.max(firstAtOrAfter(anchor, cadence, day), model.next)
  model.nextDay = isPaid ? cover.throughDay : scheduledDay(anchor, cadence, model.next)
  Object.assign(model, { status: 'active', pause: null })
  return 200
}

/** SUB-26. */
function resumePreserved(model: Model, nowMs: number): number {
  const { cover, pause: paused, zone } = model
  if (!cover || !paused) throw new Error('Time is preserved that nobody paid')
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + paused.remainingSeconds * 1_000
  let end = today(model, nowMs)
  while (startOf(end, zone) < endMs) end += 1
  const fromMs = startOf(today(model, nowMs), zone)
  assertNotGiven(cover, startOf(end, zone) - nowMs)
  model.cover = { ...cover, fromMs, throughMs: endMs, throughDay: end, servedSinceMs: nowMs }
  Object.assign(model, { status: 'active', pause: null, anchor: end, next: 0, nextDay: end })
  model.segment += 1
  return 200
}

/** SUB-27, SUB-33. */
function resumeFromToday(model: Model, nowMs: number, sell: Sell): number {
  if (model.card !== 'ok') return 402
  const outcome = sell()
  const { learned } = OUTCOMES[outcome]
  if (learned === 'unknown') {
    model.openSale = { kind: 'resume', outcome, sentMs: nowMs }
    return 402
  }
  const day = today(model, nowMs)
  if (learned !== 'approved') {
    resumeDeclined(model, outcome)
    return 402
  }
  model.segment += 1
  const end = scheduledDay(day, model.cadence, 1)
  const payment = recordPaid(model, `${model.segment}/0`)
  model.bills.set(`${model.segment}/0`, 'FULFILLED')
  Object.assign(model, { status: 'active', pause: null, anchor: day, next: 1, nextDay: end })
  coverPeriod(model, day, end, payment)
  completeIfLast(model)
  return 200
}

/** Fate of a refund or a void: at the gateway, and of the process that sends it. */
export interface Fate {
  reversal: ReversalName
  death: Death | null
}

/** Status of a request whose process dies before its response. */
export const NO_RESPONSE = 0

/** Refunds a payment: one refund at a time; with an unknown outcome it is pending (REF-3 to REF-7). */
export function refund(payment: ModelPayment, amount: number | undefined, fate: Fate): number {
  if (fate.death === 'before:intent_commit') return NO_RESPONSE
  if (amount !== undefined && amount < 1) return 422
  if (payment.status !== 'succeeded' || payment.open) return 409
  const rest = payment.amount - payment.refunded
  const wanted = amount ?? rest
  if (wanted < 1 || wanted > rest) return 422
  const learned = learnedOf(fate)
  if (learned === 'unknown') payment.open = { kind: 'refund', amount: wanted, isMade: isFoundMade(fate) }
  if (learned === 'made') refunded(payment, wanted)
  return fate.death ? NO_RESPONSE : 201
}

function refunded(payment: ModelPayment, amount: number): void {
  payment.refunded += amount
  if (payment.refunded === payment.amount) payment.status = 'refunded'
}

/**
 * REF-10, REF-11.
 *
 * @param batch whether the gateway has settled the sale, and whether that is recorded
 */
export function voidPayment(
  model: Model,
  payment: ModelPayment,
  { batch, ...fate }: Fate & { batch: 'open' | 'settled there' | 'settled' },
): number {
  if (fate.death === 'before:intent_commit') return NO_RESPONSE
  if (payment.status !== 'succeeded' || payment.refunded > 0 || payment.open || batch === 'settled') return 409
  const learned = learnedOf(fate)
  if (batch === 'settled there') {
    if (learned === 'unknown') payment.open = { kind: 'void', amount: payment.amount, isMade: false }
    return fate.death ? NO_RESPONSE : 409
  }
  if (learned === 'unknown') payment.open = { kind: 'void', amount: payment.amount, isMade: isFoundMade(fate) }
  if (learned === 'made') voided(model, payment)
  return fate.death ? NO_RESPONSE : { made: 200, failed: 409, unknown: 500 }[learned]
}

/** Marks the period as unpaid, so that none of its time is left for a pause (BIL-30). */
function voided({ cover, pause: paused }: Model, payment: ModelPayment): void {
  payment.status = 'voided'
  if (paused?.status === 'active' && cover?.payment === payment) paused.remainingSeconds = 0
}

/** Returns what is recorded before recovery. */
function learnedOf({ reversal, death }: Fate): 'made' | 'failed' | 'unknown' {
  return death === 'after:intent_commit' || death === 'after:gateway_result' ? 'unknown' : REVERSALS[reversal].learned
}

/** Returns whether recovery finds it made: it sends requests that were never sent. */
function isFoundMade({ reversal, death }: Fate): boolean {
  if (death === 'after:intent_commit') return true
  const of = REVERSALS[reversal]
  return of.learned === 'unknown' ? of.found === 'made' : of.learned === 'made'
}

/**
 * Lets recovery resolve the open refunds and voids.
 *
 * @param mayVoid whether the gateway has voided the sale, or still can: a void is not sent again to a settled batch
 */
export function resolveReversals(model: Model, mayVoid: (merchantRef: string) => boolean): void {
  for (const payment of model.payments) {
    const { open } = payment
    payment.open = null
    if (!open?.isMade) continue
    if (open.kind === 'void') {
      if (mayVoid(payment.merchantRef ?? '')) voided(model, payment)
    } else refunded(payment, open.amount)
  }
}
