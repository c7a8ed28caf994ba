import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type BillingService,
  load,
  midnight,
  openBillingService,
  recordsOf,
  runOn,
  subscribe,
} from '../../../test/support/billing.ts'
import { assertSoundBooks } from '../../../test/support/sound-books.ts'
import type { Day } from '../plan/calendar.ts'

const NOTHING = { bills: 0, approved: 0, declined: 0, unknown: 0, isComplete: true }

describe('A run of the scheduler', () => {
  let service: BillingService
  before(async () => {
    service = await openBillingService('2027-01-30')
  })
  after(() => service.close())

  test('charges what is due, once, and plans the next date of the anchor (BIL-6, BIL-9)', async () => {
    const subscription = await subscribe(service, { startDate: '2027-01-31' as Day })
    deepEqual(await runOn(service, '2027-01-30'), NOTHING)
    deepEqual(await runOn(service, '2027-01-31'), { ...NOTHING, bills: 1, approved: 1 })
    deepEqual(await runOn(service, '2027-01-31'), NOTHING)
    deepEqual(await runOn(service, '2027-02-28'), { ...NOTHING, bills: 1, approved: 1 })
    const { bills, payments, events } = await recordsOf(service, subscription)
    deepEqual(
      bills.map((bill) => [bill.period_no, bill.period_start, bill.period_end, bill.status]),
      [
        [0, '2027-01-31', '2027-02-28', 'FULFILLED'],
        [1, '2027-02-28', '2027-03-31', 'FULFILLED'],
      ],
    )
    deepEqual(
      payments.map((payment) => [payment.status, payment.trigger, payment.attempt, payment.period_start]),
      [
        ['succeeded', 'scheduled', 1, '2027-01-31'],
        ['succeeded', 'scheduled', 1, '2027-02-28'],
      ],
    )
    deepEqual(events, ['payment.succeeded', 'payment.succeeded'])
    const loaded = await load(service, subscription)
    equal(loaded.bill, null)
    const { paidBills, dueAt, nextBillingDate, paid, latestPaymentId } = loaded.subscription
    deepEqual([paidBills, nextBillingDate, dueAt], [2, '2027-03-31', midnight('2027-03-31')])
    deepEqual([paid?.throughAt, paid?.paymentId], [midnight('2027-03-31'), latestPaymentId])
    await assertSoundBooks(service)
  })
})
