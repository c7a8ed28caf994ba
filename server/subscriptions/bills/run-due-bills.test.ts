import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type BillingService,
  businessOf,
  endAll,
  load,
  midnight,
  openBillingService,
  recordsOf,
  run,
  runOn,
  scriptSales,
  subscribe,
} from '../../../test/support/billing.ts'
import { moneyRows } from '../../../test/support/money-rows.ts'
import { assertSoundBooks } from '../../../test/support/sound-books.ts'
import { storedPauses } from '../../../test/support/subscriptions.ts'
import { newId } from '../../lib/ids.ts'
import { saveChange } from '../change-queries.ts'
import type { Pause } from '../pause.ts'
import type { Day } from '../plan/calendar.ts'
import type { Subscription } from '../subscription.ts'
import { releaseCatchUp } from './release-catch-up.ts'
import { subscriptionsCommand } from './subscriptions-command.ts'

const WEEKLY = { cadence: { interval: 'week', count: 1 } } as const
const pendingPause = (): Pause => ({
  id: newId(),
  status: 'pending',
  mode: 'period_end',
  reason: null,
  unusedTimeBehavior: null,
  scheduledFor: midnight('2027-05-10'),
  pausedAt: null,
  paidThroughAt: null,
  remainingPaidSeconds: 0,
  refundConfirmed: false,
  refundReference: null,
  refundNote: null,
  resumeMode: null,
  resumedAt: null,
  createdAt: midnight('2027-04-11'),
})
const NOTHING = { bills: 0, approved: 0, declined: 0, unknown: 0, isComplete: true }

describe('A run of the scheduler', () => {
  let service: BillingService
  before(async () => {
    service = await openBillingService('2027-01-30')
  })
  afterEach(() => endAll(service))
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

  test('keeps the local midnight across a change of the clocks (BIL-5)', async () => {
    const subscription = await subscribe(service, { startDate: '2027-02-28' as Day })
    await runOn(service, '2027-02-28')
    // 04:00 in UTC, an hour before midnight in winter time.
    equal((await load(service, subscription)).subscription.dueAt?.toISOString(), '2027-03-28T04:00:00.000Z')
    equal((await runOn(service, '2027-03-28T03:59:59Z')).bills, 0)
    equal((await runOn(service, '2027-03-28T04:00:00Z')).approved, 1)
  })

  test('completes in the transaction of the N-th approval (SUB-13, BIL-26)', async () => {
    const subscription = await subscribe(service, { startDate: '2027-03-10' as Day, installments: 2 })
    await runOn(service, '2027-03-10')
    await scriptSales(service, 'declined')
    await runOn(service, '2027-04-10')
    const before = await load(service, subscription)
    equal(before.subscription.status, 'active')
    // A pause for a date after the last bill.
    await saveChange(service.app.services.db, { before, after: before.subscription, pauses: [pendingPause()] })
    await runOn(service, '2027-04-13')
    const { subscription: done } = await load(service, subscription)
    deepEqual([done.status, done.paidBills, done.dueAt, done.nextBillingDate], ['completed', 2, null, null])
    deepEqual((await recordsOf(service, subscription)).events.slice(-2), [
      'payment.succeeded',
      'subscription.completed',
    ])
    deepEqual(
      (await storedPauses(service, subscription.id)).map(({ status }) => status),
      ['ended'],
    )
    equal((await runOn(service, '2027-05-10')).bills, 0)
  })

  test('bills missed dates oldest first, one a run (BIL-11)', async () => {
    const subscription = await subscribe(service, { ...WEEKLY, startDate: '2027-03-01' as Day })
    for (const period of ['2027-03-01', '2027-03-08', '2027-03-15']) {
      equal((await runOn(service, '2027-03-16')).approved, 1)
      equal((await recordsOf(service, subscription)).payments.at(-1)?.period_start, period)
    }
    equal((await runOn(service, '2027-03-16')).bills, 0)
    equal((await load(service, subscription)).subscription.nextBillingDate, '2027-03-22')
  })

  for (const [what, given, today] of [
    ['four weekly dates', { ...WEEKLY, startDate: '2027-03-01' }, '2027-03-22'],
    ['a monthly date more than a month ago', { startDate: '2027-03-01' }, '2027-04-02'],
  ] as const) {
    test(`holds a subscription that missed ${what}, until the merchant decides (BIL-11)`, async () => {
      const command = (...args: string[]) => subscriptionsCommand(service.app.services, args)
      const start = { ...given, startDate: given.startDate as Day }
      const [skipped, billed] = [await subscribe(service, start), await subscribe(service, start)]
      equal((await runOn(service, today)).bills, 0)
      const { catchUpHeldAt, dueAt } = (await load(service, billed)).subscription
      deepEqual([catchUpHeldAt, dueAt], [midnight(today), null])
      equal((await runOn(service, today)).bills, 0)
      const business = await businessOf(service)
      await releaseCatchUp(service.app.services, { business, id: skipped.id, missed: 'skip' })
      match(await command('held'), new RegExp(`${billed.id} {2}missed since ${given.startDate}`))
      const ids = ['--business', business.id, '--subscription', billed.id]
      await rejects(command('release', ...ids, '--missed', 'all'), /missed must be bill or skip/)
      match(await command('release', ...ids, '--missed', 'bill'), /released \(bill\)/)
      equal((await command('held')).includes(billed.id), false)
      equal((await runOn(service, today)).approved, 2)
      for (let runs = 0; runs < 5; runs++) await runOn(service, today)
      const of = async (one: Subscription) => (await recordsOf(service, one)).bills.map(({ status }) => status)
      const missed = (await of(billed)).length
      deepEqual(await of(billed), Array(missed).fill('FULFILLED'))
      deepEqual(await of(skipped), [...Array(missed - 1).fill('CLOSED'), 'FULFILLED'])
      const again = releaseCatchUp(service.app.services, { business, id: billed.id, missed: 'bill' })
      await rejects(again, { code: 'conflict' })
      await assertSoundBooks(service)
    })
  }

  test('charges nothing on the day that a cancel takes effect (SUB-11)', async () => {
    const startDate = '2027-03-10' as Day
    const cancelAt = midnight('2027-04-10')
    const canceled = await subscribe(service, { startDate, cancelAt })
    await runOn(service, '2027-03-10')
    equal((await runOn(service, '2027-04-10')).bills, 0)
    const { subscription } = await load(service, canceled)
    deepEqual([subscription.status, subscription.canceledAt, subscription.dueAt], ['canceled', cancelAt, null])
    deepEqual((await recordsOf(service, canceled)).events, ['payment.succeeded', 'subscription.cancelled'])
  })

  test('bills a business whose test clock is ahead by its own time, and no other (OPS-20)', async () => {
    const subscription = await subscribe(service, { startDate: '2027-03-10' as Day })
    await using book = moneyRows(service.databaseUrl)
    service.clock.set('2027-03-01T12:00:00Z')
    const ahead = (seconds: number) => book.query('update business set clock_offset_seconds = $1', [seconds])
    try {
      await ahead(8 * 86_400)
      equal((await run(service)).bills, 0)
      await ahead(9 * 86_400)
      const { businessId } = subscription
      equal((await run(service, { businessId: newId() })).bills, 0)
      equal((await run(service, { businessId, until: midnight('2027-03-09') })).bills, 0)
      equal((await run(service, { businessId, until: midnight('2027-03-10') })).approved, 1)
      const [payment] = (await recordsOf(service, subscription)).payments
      equal(payment?.created_at.toISOString(), '2027-03-10T12:00:00.000Z')
    } finally {
      await ahead(0)
    }
  })

  test('waits for the contract, day after day (SUB-7)', async () => {
    const subscription = await subscribe(service, { startDate: '2027-03-10' as Day, contractId: newId() })
    equal((await runOn(service, '2027-03-10')).bills, 0)
    const { dueAt, nextPeriodNo } = (await load(service, subscription)).subscription
    deepEqual([dueAt, nextPeriodNo], [midnight('2027-03-11'), 0])
    deepEqual((await recordsOf(service, subscription)).bills, [])
  })

  test('goes on when one subscription cannot be billed, and looks at that one later, ever later', async () => {
    const startDate = '2027-03-10' as Day
    const poison = await subscribe(service, { startDate, storedCardId: newId() })
    await subscribe(service, { startDate })
    equal((await runOn(service, '2027-03-10')).approved, 1)
    match(service.logged(), /a due subscription could not be billed/)
    const delays: number[] = []
    for (let looks = 0; looks < 3; looks++) {
      equal((await run(service)).bills, 0)
      const { dueAt } = (await load(service, poison)).subscription
      ok(dueAt)
      delays.push((dueAt.getTime() - service.clock.now().getTime()) / 1000)
      service.clock.set(new Date(dueAt.getTime() + 3_600_000))
      await run(service)
    }
    deepEqual(delays, [300, 1_950, 4_725])
  })

  test('takes no more than its limit, and says so', async () => {
    for (let made = 0; made < 3; made++) await subscribe(service, { startDate: '2027-03-10' as Day })
    service.clock.set(midnight('2027-03-10'))
    deepEqual(await run(service, { limit: 2 }), { ...NOTHING, bills: 2, approved: 2, isComplete: false })
    deepEqual(await run(service), { ...NOTHING, bills: 1, approved: 1 })
  })
})
