import { deepEqual, equal } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  anotherCard,
  type BillingService,
  businessOf,
  endAll,
  load,
  midnight,
  openBillingService,
  recordsOf,
  runOn,
  scriptSales,
  subscribe,
} from '../../../test/support/billing.ts'
import { moneyRows } from '../../../test/support/money-rows.ts'
import { assertSoundBooks } from '../../../test/support/sound-books.ts'
import type { BehaviourName } from '../../gateway/simulator/behaviours.ts'
import type { Day } from '../plan/calendar.ts'
import { releaseCatchUp } from './release-catch-up.ts'

const WEEKLY = { cadence: { interval: 'week', count: 1 } } as const
const DECLINES: BehaviourName[] = ['declined', 'insufficient_funds', 'referral', 'record_not_found']

describe('A declined bill', () => {
  let service: BillingService
  before(async () => {
    service = await openBillingService('2027-01-30')
  })
  afterEach(() => endAll(service))
  after(() => service.close())

  async function sales(): Promise<number> {
    return (await service.simulator.rows()).filter(({ op }) => op === 'sale').length
  }

  async function setting(afterLastRetry: string): Promise<void> {
    await using book = moneyRows(service.databaseUrl)
    await book.query('update business set after_last_retry = $1', [afterLastRetry])
  }

  test('is tried on the day and three local days after the attempt before, four times, then exhausted (BIL-17, BIL-23)', async () => {
    // Clocks go forward on 14 March 2027, so one of the steps is an hour shorter.
    const subscription = await subscribe(service, { startDate: '2027-03-10' as Day })
    await scriptSales(service, ...DECLINES)
    const days = ['2027-03-10', '2027-03-13', '2027-03-16', '2027-03-19']
    for (const [index, day] of days.entries()) {
      const dayBefore = new Date(midnight(day).getTime() - 1000).toISOString()
      equal((await runOn(service, dayBefore)).bills, 0, `nothing before ${day}`)
      deepEqual([(await runOn(service, day)).declined, (await runOn(service, day)).bills], [1, 0])
      const { bill, subscription: now } = await load(service, subscription)
      deepEqual([bill?.failedAttempts ?? null, now.lastFailedAttemptAt], [index < 3 ? index + 1 : null, midnight(day)])
    }
    const { bills, payments, events } = await recordsOf(service, subscription)
    deepEqual(
      payments.map((payment) => [
        payment.status,
        payment.trigger,
        payment.attempt,
        payment.code,
        payment.next_retry_at,
      ]),
      [
        ['failed', 'scheduled', 1, 'ND', midnight('2027-03-13')],
        ['failed', 'retry', 2, 'ND', midnight('2027-03-16')],
        ['failed', 'retry', 3, 'NR', midnight('2027-03-19')],
        ['failed', 'retry', 4, 'NF', null],
      ],
    )
    deepEqual(
      bills.map((bill) => [bill.status, bill.closed_reason, bill.failed_attempts, bill.next_attempt_at]),
      [['CLOSED', 'exhausted', 4, null]],
    )
    deepEqual(events, [...Array(4).fill('payment.failed'), 'payment.retries_exhausted'])
    const { subscription: kept } = await load(service, subscription)
    deepEqual([kept.status, kept.dueAt, kept.paidBills], ['active', midnight('2027-04-10'), 0])
    await assertSoundBooks(service)
  })

  test('that is paid by a retry pays its own period, and the next date is that of the anchor (BIL-8)', async () => {
    const subscription = await subscribe(service, { startDate: '2027-03-10' as Day })
    await scriptSales(service, 'declined', 'declined')
    await runOn(service, '2027-03-10')
    // A late attempt delays only the rest of its own series.
    await runOn(service, '2027-03-15')
    equal((await runOn(service, '2027-03-17')).bills, 0)
    deepEqual((await runOn(service, '2027-03-18')).approved, 1)
    const { payments } = await recordsOf(service, subscription)
    deepEqual(
      payments.map(({ status, trigger, attempt, period_start }) => [status, trigger, attempt, period_start]),
      [
        ['failed', 'scheduled', 1, '2027-03-10'],
        ['failed', 'retry', 2, '2027-03-10'],
        ['succeeded', 'retry', 3, '2027-03-10'],
      ],
    )
    const { subscription: paid, bill } = await load(service, subscription)
    deepEqual([bill, paid.paid?.throughAt, paid.dueAt], [null, midnight('2027-04-10'), midnight('2027-04-10')])
  })

  for (const [outcome, block] of [
    ['lost_card', 'NC'],
    ['never_again', 'ND'],
    ['stop_recurring', 'ND'],
  ] as const) {
    test(`by ${outcome} is never tried again, nor is any other bill of the card (BIL-20)`, async () => {
      const { cardId, customerId } = await anotherCard(service, '6011111111111117')
      const of = { storedCardId: cardId, customerId, startDate: '2027-03-10' as Day }
      const first = await subscribe(service, of)
      const second = await subscribe(service, { ...of, startDate: '2027-03-11' as Day })
      await scriptSales(service, outcome)
      await runOn(service, '2027-03-10')
      const before = await sales()
      const run = await runOn(service, '2027-03-11')
      deepEqual([run.bills, run.declined, await sales()], [1, 0, before])
      await using book = moneyRows(service.databaseUrl)
      const [card] = await book.query('select charge_block from stored_card where id = $1', [cardId])
      deepEqual(card, { charge_block: block })
      for (const [one, payments, events] of [
        [first, 1, ['payment.failed']],
        [second, 0, []],
      ] as const) {
        const records = await recordsOf(service, one)
        deepEqual([records.bills[0]?.closed_reason, records.payments.length], ['do_not_retry', payments])
        deepEqual(
          records.events.filter((type) => type.startsWith('payment')),
          events,
        )
      }
      deepEqual((await recordsOf(service, second)).events, ['subscription.updated'])
      equal((await load(service, second)).subscription.dueAt?.getTime(), midnight('2027-04-11').getTime())
    })
  }

  test('of a detached card fails without a request, as card_detached (BIL-22)', async () => {
    const { cardId, customerId } = await anotherCard(service, '6011111111111117')
    const subscription = await subscribe(service, { storedCardId: cardId, customerId, startDate: '2027-03-10' as Day })
    await using book = moneyRows(service.databaseUrl)
    await book.query('update stored_card set detached_at = created_at where id = $1', [cardId])
    const before = await sales()
    deepEqual((await runOn(service, '2027-03-10')).declined, 1)
    equal(await sales(), before)
    const { bills, payments, events } = await recordsOf(service, subscription)
    deepEqual([bills[0]?.closed_reason, bills[0]?.failed_attempts], ['card_detached', 1])
    deepEqual(
      payments.map(({ status, code, attempt, next_retry_at }) => [status, code, attempt, next_retry_at]),
      [['failed', 'ND', 1, null]],
    )
    deepEqual(events, ['payment.failed'])
    await assertSoundBooks(service)
  })

  for (const [afterLastRetry, status, event] of [
    ['pause', 'paused', 'subscription.paused'],
    ['cancel', 'canceled', 'subscription.cancelled'],
  ] as const) {
    test(`after whose last attempt the business wants ${afterLastRetry} (BIL-23)`, async () => {
      await setting(afterLastRetry)
      try {
        const subscription = await subscribe(service, { startDate: '2027-03-10' as Day })
        await scriptSales(service, 'declined', 'declined', 'declined', 'declined')
        for (const day of ['2027-03-10', '2027-03-13', '2027-03-16', '2027-03-19']) await runOn(service, day)
        const { subscription: ended, bill, pause } = await load(service, subscription)
        deepEqual([ended.status, ended.dueAt, ended.nextBillingDate, bill], [status, null, null, null])
        equal(afterLastRetry === 'cancel' ? ended.cancellationReason : pause?.reason, 'payment_failed')
        deepEqual((await recordsOf(service, subscription)).events.slice(-3), [
          'payment.failed',
          'payment.retries_exhausted',
          event,
        ])
        equal((await runOn(service, '2027-06-10')).bills, 0)
      } finally {
        await setting('keep')
      }
    })
  }

  test('whose series is longer than the interval: dates wait, and a running period is attempted (BIL-12)', async () => {
    const subscription = await subscribe(service, { ...WEEKLY, startDate: '2027-03-01' as Day })
    await scriptSales(service, 'approved', 'declined', 'declined', 'declined', 'declined')
    for (const day of ['2027-03-01', '2027-03-08', '2027-03-11', '2027-03-14', '2027-03-15', '2027-03-17'])
      await runOn(service, day)
    // The date of 15 March waited; its period runs until the 22nd.
    deepEqual((await runOn(service, '2027-03-17')).approved, 1)
    deepEqual((await runOn(service, '2027-03-22')).approved, 1)
    const { bills } = await recordsOf(service, subscription)
    deepEqual(
      bills.map((bill) => [bill.period_start, bill.status, bill.closed_reason]),
      [
        ['2027-03-01', 'FULFILLED', null],
        ['2027-03-08', 'CLOSED', 'exhausted'],
        ['2027-03-15', 'FULFILLED', null],
        ['2027-03-22', 'FULFILLED', null],
      ],
    )
  })

  test('whose series outlasts whole periods: they are skipped', async () => {
    const daily = { cadence: { interval: 'day', count: 1 } } as const
    const subscription = await subscribe(service, { ...daily, startDate: '2027-03-01' as Day })
    await scriptSales(service, 'declined', 'declined', 'declined', 'declined')
    for (const day of ['2027-03-01', '2027-03-04', '2027-03-07', '2027-03-10', '2027-03-10']) await runOn(service, day)
    const { bills } = await recordsOf(service, subscription)
    const skipped = bills.slice(1, -1).map(({ closed_reason }) => closed_reason)
    deepEqual(skipped, Array(8).fill('skipped'))
    deepEqual([bills.at(-1)?.period_start, bills.at(-1)?.status], ['2027-03-10', 'FULFILLED'])
  })

  const DAILY = { cadence: { interval: 'day', count: 1 }, startDate: '2027-03-01' as Day } as const

  test('whose series ends with a success: as many dates as the business wants are billed (BIL-11)', async () => {
    const subscription = await subscribe(service, DAILY)
    await scriptSales(service, 'declined', 'approved')
    for (const day of ['2027-03-01', ...Array(4).fill('2027-03-04')]) await runOn(service, day)
    const { catchUpHeldAt, nextBillingDate } = (await load(service, subscription)).subscription
    deepEqual([catchUpHeldAt, nextBillingDate], [null, '2027-03-05'], 'three dates waited')
  })

  test('whose series ends with a success: of more dates, none is billed unasked (BIL-11)', async () => {
    const subscription = await subscribe(service, DAILY)
    await scriptSales(service, 'declined', 'declined', 'approved')
    for (const day of ['2027-03-01', '2027-03-04', '2027-03-07', '2027-03-07']) await runOn(service, day)
    const { catchUpHeldAt, nextBillingDate } = (await load(service, subscription)).subscription
    deepEqual([catchUpHeldAt, nextBillingDate], [midnight('2027-03-07'), '2027-03-02'])
    const business = await businessOf(service)
    await releaseCatchUp(service.app.services, { business, id: subscription.id, missed: 'bill' })
    await scriptSales(service, 'declined')
    // The first of the six is declined once. The dates are not held again, and there are only three after the decision.
    for (const day of ['2027-03-07', ...Array(9).fill('2027-03-10')]) await runOn(service, day)
    const { bills } = await recordsOf(service, subscription)
    deepEqual(new Set(bills.map(({ status }) => status)), new Set(['FULFILLED']))
    deepEqual([bills[1]?.failed_attempts, bills.at(-1)?.period_start], [1, '2027-03-10'])
    await assertSoundBooks(service)
  })

  for (const outcome of ['partial_ap', 'partial_ac'] as const) {
    test(`by ${outcome} is reversed, and tried again (BIL-19)`, async () => {
      const subscription = await subscribe(service, { startDate: '2027-03-10' as Day })
      await scriptSales(service, outcome)
      deepEqual((await runOn(service, '2027-03-10')).declined, 1)
      await assertSoundBooks(service)
      const { bill } = await load(service, subscription)
      deepEqual([bill?.failedAttempts, bill?.nextAttemptAt], [1, midnight('2027-03-13')])
      deepEqual((await runOn(service, '2027-03-13')).approved, 1)
      await assertSoundBooks(service)
    })
  }
})
