import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BillingVector, billingVectors, NEED_THE_ENGINE } from '../../../test/support/billing-vectors.ts'
import type { Cadence } from '../../catalog/cadence.ts'
import type { ResultCode } from '../../gateway/result-codes.ts'
import type { Cents } from '../../lib/money.ts'
import { readRatePpm } from '../../lib/rate.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import { billAmounts, proportionOf } from './amounts.ts'
import {
  addDays,
  billingDay,
  type Day,
  dayOf,
  daysBetween,
  instantOf,
  periodIndexAtOrAfter,
  periodIndexContaining,
} from './calendar.ts'
import { prepaidTimeAt } from './prepaid.ts'
import { resumeTerms } from './resume-terms.ts'
import { ATTEMPTS_MAX, nextAttemptDay } from './retries.ts'

/** Inputs of the vectors that are run here; each vector has some of them. */
interface Given {
  start_date: Day
  interval: Cadence['interval']
  interval_count: number
  business_timezone?: string
  created_at: string
  from_instant: string
  add_local_days: number
  billing_date: Day
  unit_amount: Cents
  tax_rate: string
  surcharge_rate: string
  amount: Cents
  refunded_amount: Cents
  period_start: Day
  period_end: Day
  part_days: number
  period_days: number
  paid_through: Day
  paused_at?: string
  paused_on?: Day
  resumed_at?: string
  resume_on: Day
  billing_cycle_anchor: 'now' | 'unchanged'
  unused_time_behavior?: 'preserve_time' | 'external_refund' | null
  outcomes: ResultCode[]
  gateway_code: ResultCode
  request: { on: Day }
}

/** Asserts one member of `expect`. */
// biome-ignore lint/suspicious/noExplicitAny: each member has a shape of its own, and comes from JSON
type Check = (given: Given, expected: any) => void

const BILL_TOTAL = 4_711 as Cents

const zoneOf = (given: Given) => given.business_timezone ?? 'UTC'
const cadenceOf = (given: Given): Cadence => ({ interval: given.interval, count: given.interval_count })
const dayAt = (given: Given, k: number) => billingDay(given.start_date, cadenceOf(given), k)
const indexContaining = (given: Given, day: Day) => periodIndexContaining(given.start_date, cadenceOf(given), day)
const indexAtOrAfter = (given: Given, day: Day) => periodIndexAtOrAfter(given.start_date, cadenceOf(given), day)
const isBillingDay = (given: Given, day: Day) => dayAt(given, indexAtOrAfter(given, day)) === day
const firstDays = (given: Given, count: number) => Array.from({ length: count }, (_, k) => dayAt(given, k))
/** The end of the period in which a bill or a request falls. */
const periodEnd = (given: Given, day: Day) => dayAt(given, indexContaining(given, day) + 1)

function periodFrom(given: Given, start: Day) {
  const k = indexContaining(given, start)
  return { start: dayAt(given, k), end: dayAt(given, k + 1) }
}

function amountsOf({ unit_amount: baseAmount, tax_rate: tax, surcharge_rate: surcharge }: Given) {
  const [taxRatePpm, surchargeRatePpm] = [readRatePpm(Number(tax), 100), readRatePpm(Number(surcharge), 100)]
  return billAmounts({ baseAmount, taxRatePpm, surchargeRatePpm, surchargeRounding: 'half_up' })
}

function prepaidOf(given: Given) {
  const zone = zoneOf(given)
  const periodStart = instantOf(given.period_start, zone)
  const period = { periodStart, periodEnd: instantOf(given.period_end, zone) }
  const covering = { amount: given.amount, refundedAmount: given.refunded_amount, voided: false, ...period }
  return prepaidTimeAt({ at: new Date(given.paused_at ?? ''), zone, covering })
}

function termsOf(given: Given) {
  const zone = zoneOf(given)
  const at = (instant: string | undefined, day: Day) => (instant ? new Date(instant) : instantOf(day, zone))
  const paidThrough = given.paid_through
  const pausedAt = at(given.paused_at, given.paused_on ?? given.resume_on)
  const left = instantOf(paidThrough, zone).getTime() - pausedAt.getTime()
  return resumeTerms({
    now: at(given.resumed_at, given.resume_on),
    zone,
    anchor: given.billing_cycle_anchor,
    segment: { anchor: given.start_date, cadence: cadenceOf(given) },
    paidThrough,
    unused: given.unused_time_behavior ?? null,
    remainingSeconds: Math.max(0, left / 1_000),
    billTotal: BILL_TOTAL,
  })
}

/** Returns the days of attempts at one bill, each on time. Outcomes after the end of the series are ignored. */
function attemptDays({ billing_date: from }: Given, outcomes: ResultCode[]): Day[] {
  const days: Day[] = []
  let next: Day | null = from
  for (const outcome of outcomes) {
    if (next === null) break
    days.push(next)
    next = outcome === 'AA' || chargeBlockOf({ code: outcome }) ? null : nextAttemptDay(next, days.length)
  }
  return days
}

const DATES: Record<string, Check> = {
  billing_dates: (given, days) => deepEqual(firstDays(given, days.length), days),
  billing_dates_include: (given, days) =>
    deepEqual(
      days.filter((day: Day) => !isBillingDay(given, day)),
      [],
    ),
  billing_dates_exclude: (given, days) =>
    deepEqual(
      days.filter((day: Day) => isBillingDay(given, day)),
      [],
    ),
  bills_due_by: (given, rows) =>
    deepEqual(
      rows.map(({ on }: { on: Day }) => ({ on, count: indexContaining(given, on) + 1 })),
      rows,
    ),
  bills_in_year: (given, rows) => {
    const before = (year: number) => indexAtOrAfter(given, `${year}-01-01` as Day)
    const counted = rows.map(({ year }: { year: number }) => ({ year, count: before(year + 1) - before(year) }))
    deepEqual(counted, rows)
  },
  periods: (given, rows) =>
    deepEqual(
      rows.map((_: unknown, k: number) => periodFrom(given, dayAt(given, k))),
      rows,
    ),
  periods_include: (given, rows) => {
    const found = rows.map(({ start }: { start: Day }) => periodFrom(given, start))
    deepEqual(
      found.map((period: { start: Day; end: Day }) => ({ ...period, days: daysBetween(period.start, period.end) })),
      rows,
    )
  },
  current_period_start_on: (given, rows) =>
    deepEqual(
      rows.map(({ on }: { on: Day }) => ({ on, is: periodFrom(given, on).start })),
      rows,
    ),
  occurrence: (given, rows) =>
    deepEqual(
      rows.map(({ k }: { k: number }) => ({ k, is: dayAt(given, k) })),
      rows,
    ),
}

const INSTANTS: Record<string, Check> = {
  start_date: (given, day) => equal(dayOf(new Date(given.created_at), zoneOf(given)), day),
  local_date: (given, day) => equal(laterDay(given), day),
  not: (given, day) => notEqual(laterDay(given), day),
  due_instants: (given, instants) => {
    const days = firstDays(given, instants.length)
    deepEqual(
      days.map((day) => instantOf(day, zoneOf(given))),
      instants.map((instant: string) => new Date(instant)),
    )
  },
  due_instant_of: (given, { date, is }) => deepEqual(instantOf(date, zoneOf(given)), new Date(is)),
  due_at: (given, rows) => {
    for (const { instant, due, late } of rows) {
      const at = new Date(instant)
      equal(at >= instantOf(given.billing_date, zoneOf(given)), due)
      if (late !== undefined) equal(dayOf(at, zoneOf(given)) > given.billing_date, late)
    }
  },
}

const laterDay = (given: Given) => addDays(dayOf(new Date(given.from_instant), zoneOf(given)), given.add_local_days)

const PREPAID: Record<string, Check> = {
  remaining_paid_days: (given, days) => equal(prepaidOf(given).remainingDays, days),
  remaining_paid_seconds: (given, seconds) => equal(prepaidOf(given).remainingSeconds, seconds),
  unused_prepaid_amount: (given, amount) => equal(prepaidOf(given).unusedAmount, amount),
  prorated_amount: ({ amount, part_days: part, period_days: whole }, prorated) =>
    equal(proportionOf(amount, part, whole, 'half_up'), prorated),
}

const RESUME: Record<string, Check> = {
  charge_due_today: (given, charge) => equal(termsOf(given).chargeDueToday, charge === 'full' ? BILL_TOTAL : charge),
  payment_required_to_reactivate: (given, isRequired) => equal(termsOf(given).chargeDueToday > 0, isRequired),
  new_period_start: (given, day) => equal(termsOf(given).newPeriodStart, day),
  new_period_end: (given, day) => equal(termsOf(given).newPeriodEnd, day),
  next_billing_date: (given, day) => equal(termsOf(given).nextBillingDay, day),
  next_after: (given, day) => equal(dayAt(given, termsOf(given).nextPeriodNo + 1), day),
  not_charged_on: (given, days) =>
    deepEqual(
      days.filter((day: Day) => day >= termsOf(given).nextBillingDay),
      [],
    ),
}

const RETRY: Record<string, Check> = {
  attempts: (given, count) => equal(attemptDays(given, given.outcomes).length, count),
  attempt_dates: (given, days) => deepEqual(attemptDays(given, given.outcomes), days),
  fifth_attempt: (given, isMade) => equal(attemptDays(given, [...given.outcomes, 'ND']).length > ATTEMPTS_MAX, isMade),
  further_attempts_same_card: (given, count) =>
    equal(attemptDays(given, [...given.outcomes, 'ND', 'ND']).length - given.outcomes.length, count),
  retry_allowed: ({ gateway_code: code }, isAllowed) => equal(chargeBlockOf({ code }) === null, isAllowed),
  next_billing_date: (given, day) => equal(periodEnd(given, given.billing_date), day),
  not: (given, day) => notEqual(periodEnd(given, given.billing_date), day),
  canceled_on: (given, day) => equal(periodEnd(given, given.billing_date), day),
}

const CANCEL: Record<string, Check> = {
  last_charge_on: (given, day) => equal(periodFrom(given, given.request.on).start, day),
  canceled_on: (given, day) => equal(periodEnd(given, given.request.on), day),
}

const CHECKS: Record<BillingVector['kind'], Record<string, Check>> = {
  schedule: DATES,
  leap: DATES,
  timezone: { ...DATES, ...INSTANTS },
  amount: {
    tax: (given, tax) => equal(amountsOf(given).tax, tax),
    surcharge: (given, surcharge) => equal(amountsOf(given).surcharge, surcharge),
    total: (given, total) => equal(amountsOf(given).total, total),
  },
  pause: PREPAID,
  resume: RESUME,
  retry: RETRY,
  installments: { billing_dates: (given, days) => deepEqual(firstDays(given, days.length), days) },
  cancel: CANCEL,
  refund: {},
}

const isChecked = ({ kind }: BillingVector, member: string) => Object.hasOwn(CHECKS[kind], member)
const ids = billingVectors.map(({ id }) => id)

describe('A course that another billing system documents', () => {
  for (const vector of billingVectors) {
    const members = Object.keys(vector.expect).filter((member) => isChecked(vector, member))
    if (members.length === 0) continue
    test(`${vector.id}, ${vector.kind}: ${members.join(', ')}`, () => {
      for (const member of members) {
        CHECKS[vector.kind][member]?.(vector.given as unknown as Given, vector.expect[member])
      }
    })
  }
})

describe('The courses', () => {
  test('are 126, each with an id of its own', () => {
    equal(ids.length, 126)
    equal(new Set(ids).size, 126)
  })

  test('are checked here in every member, or need the engine', () => {
    const unchecked = billingVectors.filter(
      (vector) => !Object.keys(vector.expect).every((member) => isChecked(vector, member)),
    )
    deepEqual(unchecked.map(({ id }) => id).sort(), Object.keys(NEED_THE_ENGINE).sort())
  })
})
