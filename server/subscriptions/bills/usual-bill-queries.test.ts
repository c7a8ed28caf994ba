import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subscriptionOf } from '../../../test/support/subscription-of.ts'
import { newId } from '../../lib/ids.ts'
import { approvedBill } from '../lifecycle/bill-outcome.ts'
import { openBill } from '../lifecycle/open-bill.ts'
import type { Day } from '../plan/calendar.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { fulfilledBill, openedBill } from './usual-bill-queries.ts'

const now = new Date('2026-03-01T05:00:00Z')
const loaded: LoadedSubscription = {
  subscription: subscriptionOf({ nextBillingDate: '2026-03-01' as Day, dueAt: now, installments: 12, paidBills: 2 }),
  bill: null,
  pause: null,
  isCharging: false,
}
const { after, bill } = openBill(loaded, now)
const opening = { before: loaded, after, bills: [bill] }
const begun = { ...loaded, subscription: { ...after, version: after.version + 1 }, bill, isCharging: true }
const paying = { before: begun, ...approvedBill(begun, { paymentId: newId(), now }) }

describe('A bill that is opened writes the columns that change', () => {
  test('when nothing else changes', () => equal(openedBill(opening), bill))
  test('not when anything else changes', () => {
    equal(openedBill({ ...opening, after: { ...after, dueAt: null } }), null)
    equal(openedBill({ ...opening, after: { ...after, metadata: { ...after.metadata } } }), null)
  })
  test('not when another bill is open or changes', () => {
    equal(openedBill({ ...opening, before: { ...loaded, bill } }), null)
    equal(openedBill({ ...opening, bills: [bill, bill] }), null)
    equal(openedBill({ ...opening, bills: [] }), null)
    equal(openedBill({ ...opening, bills: [{ ...bill, status: 'CLOSED' }] }), null)
  })
})

describe('A bill that is paid writes the columns that change', () => {
  test('when nothing else changes', () => equal(fulfilledBill(paying), paying.bills[0]))
  test('not when anything else changes, such as the status with the last installment', () => {
    equal(fulfilledBill({ ...paying, after: { ...paying.after, status: 'completed' } }), null)
    equal(fulfilledBill({ ...paying, after: { ...paying.after, cancelAt: now } }), null)
    const last = { ...begun, subscription: { ...begun.subscription, paidBills: 11 } }
    equal(fulfilledBill({ before: last, ...approvedBill(last, { paymentId: newId(), now }) }), null)
  })
  test('not when more than its end changes, or a pause does', () => {
    const [paid = bill] = paying.bills
    equal(fulfilledBill({ ...paying, bills: [{ ...paid, failedAttempts: 1 }] }), null)
    equal(fulfilledBill({ ...paying, bills: [{ ...paid, id: newId() }] }), null)
    equal(fulfilledBill({ ...paying, before: { ...begun, bill: null } }), null)
    equal(fulfilledBill({ ...paying, pauses: [{} as never] }), null)
  })
})
