import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subscriptionOf } from '../../../test/support/subscription-of.ts'
import type { Bill } from '../bill.ts'
import { type Day, instantOf } from '../plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'
import { approvedBill, declinedBill, soonAfter, unchargedBill } from './bill-outcome.ts'
import { newBill } from './open-bill.ts'

const at = (text: string) => instantOf(text as Day, 'America/Toronto')
const NOW = at('2026-02-28')
const KEEP = { afterLastRetry: 'keep' } as const

/** Returns the bill of 28 February, whose date has passed: the next one is 31 March. */
function opened(given: Partial<Subscription> = {}, bill: Partial<Bill> = {}): LoadedSubscription & { bill: Bill } {
  const period = { periodStart: '2026-02-28' as Day, periodEnd: '2026-03-31' as Day }
  const next = { nextPeriodNo: 2, nextBillingDate: period.periodEnd }
  return {
    subscription: subscriptionOf({ ...next, ...given }),
    bill: { ...newBill({ segmentNo: 0, periodNo: 1, ...period }, NOW), lastAttemptAt: NOW, ...bill },
    pause: null,
    isCharging: true,
  }
}

describe('An approved bill', () => {
  const approve = (given: Partial<Subscription> = {}) => approvedBill(opened(given), { paymentId: 'p', now: NOW })

  test('pays its whole period, and the next date follows', () => {
    const { after, bills, isCompleted } = approve()
    deepEqual([after.paidBills, after.latestPaymentId, after.dueAt, isCompleted], [2, 'p', at('2026-03-31'), false])
    deepEqual(after.paid, {
      paymentId: 'p',
      from: at('2026-02-28'),
      throughAt: at('2026-03-31'),
      // Clocks went forward.
      seconds: 31 * 86_400 - 3_600,
    })
    deepEqual([bills[0]?.status, bills[0]?.paymentId, bills[0]?.nextAttemptAt], ['FULFILLED', 'p', null])
  })

  test('is the last installment', () => {
    const { after, isCompleted } = approve({ installments: 2, cancelAt: at('2026-03-31') })
    deepEqual([after.status, after.dueAt, after.nextBillingDate, after.cancelAt], ['completed', null, null, null])
    equal(isCompleted, true)
  })

  for (const status of ['canceled', 'paused'] as const) {
    test(`counts in a subscription that is ${status} meanwhile, and plans nothing (SUB-10)`, () => {
      const { after } = approve({ status, nextBillingDate: null })
      deepEqual([after.status, after.paidBills, after.dueAt], [status, 2, null])
    })
  }
})

describe('A declined bill', () => {
  const decline = (
    one: LoadedSubscription & { bill: Bill },
    { neverAgain = false, now = NOW }: { neverAgain?: boolean; now?: Date } = {},
    setting: { afterLastRetry: 'keep' | 'pause' | 'cancel'; billingRunLocalTime?: string } = KEEP,
  ) => declinedBill(one, { neverAgain, paymentId: 'p', now }, { billingRunLocalTime: '00:00', ...setting })

  const CASES: [
    what: string,
    failed: number,
    decline: Parameters<typeof decline>[1],
    next: string | null,
    why: string,
  ][] = [
    ['first', 0, {}, '2026-03-03', ''],
    ['third', 2, {}, '2026-03-03', ''],
    ['fourth', 3, {}, null, 'exhausted'],
    ['first, advised against', 0, { neverAgain: true }, null, 'do_not_retry'],
    ['found days later: three days after it was sent', 0, { now: at('2026-03-02') }, '2026-03-03', ''],
  ]
  for (const [what, failedAttempts, given, next, reason] of CASES) {
    test(`${what}: ${next ?? reason}`, () => {
      const { bill, nextRetryAt, after, isExhausted } = decline(opened({}, { failedAttempts }), given)
      deepEqual(nextRetryAt, next && at(next))
      deepEqual([bill.failedAttempts, bill.closedReason ?? ''], [failedAttempts + 1, reason])
      deepEqual(after.dueAt, next ? at(next) : at('2026-03-31'))
      equal(isExhausted, reason === 'exhausted')
    })
  }

  test('is tried again at the time of bills (BIL-4)', () => {
    const { nextRetryAt, after } = decline(opened(), {}, { ...KEEP, billingRunLocalTime: '18:30' })
    const retry = new Date(at('2026-03-03').getTime() + 18.5 * 3_600_000)
    deepEqual([nextRetryAt, after.dueAt], [retry, retry])
  })

  for (const [afterLastRetry, status, event] of [
    ['keep', 'active', null],
    ['pause', 'paused', 'subscription.paused'],
    ['cancel', 'canceled', 'subscription.cancelled'],
  ] as const) {
    for (const [what, failedAttempts, given] of [
      ['the fourth', 3, {}],
      ['advised against', 0, { neverAgain: true }],
    ] as const) {
      test(`the last, ${what}, and the business wants ${afterLastRetry}: ${status} (BIL-23)`, () => {
        const ended = decline(opened({}, { failedAttempts }), given, { afterLastRetry })
        deepEqual([ended.after.status, ended.event], [status, event])
      })
    }
  }

  for (const status of ['canceled', 'paused'] as const) {
    test(`of a subscription that is ${status} meanwhile is closed (SUB-10)`, () => {
      const { bill, event } = decline(opened({ status, nextBillingDate: null }))
      deepEqual([bill.status, bill.closedReason, bill.failedAttempts, event], ['CLOSED', status, 1, null])
    })
  }
})

describe('A bill that was not charged', () => {
  test('is tried again, the later the longer it could not be (BIL-21)', () => {
    const delays = [0, 600, 1_800, 86_400].map((seconds) => soonAfter(NOW, new Date(NOW.getTime() + seconds * 1_000)))
    deepEqual(delays, [300, 300, 900, 21_600])
    const { after, bills } = unchargedBill(opened(), NOW)
    deepEqual([after.dueAt, bills], [new Date(NOW.getTime() + 300_000), []])
  })

  for (const status of ['canceled', 'paused'] as const) {
    test(`is closed when its subscription is ${status} meanwhile`, () => {
      const { bills, after } = unchargedBill(opened({ status, nextBillingDate: null, dueAt: null }), NOW)
      deepEqual([bills[0]?.status, bills[0]?.closedReason, after.dueAt], ['CLOSED', status, null])
    })
  }
})
