import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Cents } from '../../server/lib/money.ts'
import { retryNow } from '../../server/subscriptions/bills/retry-now.ts'
import { cancelSubscription } from '../../server/subscriptions/lifecycle/cancel-subscription.ts'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import {
  anotherCard,
  type BillingService,
  businessOf,
  load,
  midnight,
  openBillingService,
  recordsOf,
  run,
  runOn,
  scriptSales,
  subscribe,
} from '../support/billing.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { openService } from '../support/service.ts'
import { resolveAll } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

const DAY = '2027-03-10'
/** Longer than the scaled 15 seconds of a caller, shorter than the time in which a late result arrives. */
const LATE_MS = 2_000

const LIVE = "select id from subscription where status <> 'canceled'"

/**
 * One service for all tests of a suite. After each its subscriptions are canceled, so that the next may begin on the
 * same day; after the last the books are audited.
 */
function sharedBilling() {
  let service: BillingService
  let book: MoneyRows
  before(async () => {
    service = await openBillingService(DAY)
    book = moneyRows(service.databaseUrl)
  })
  afterEach(async () => {
    await service.simulator.resetScript()
    const business = await businessOf(service)
    for (const { id } of await book.query<{ id: string }>(LIVE))
      await cancelSubscription(service.app.services, { business, id })
    await resolveAll(service)
    service.clock.set(midnight(DAY))
  })
  after(async () => {
    await using _closing = service
    await using _book = book
    await assertSoundBooks(service)
  })
  return () => service
}

const opened = sharedBilling()
let amounts = 1_000

/** Creates a due subscription of a new customer with a card, with an amount of its own. */
async function openDue(cardNumber: string = CARDS.visa): Promise<{ service: BillingService; due: Subscription }> {
  const service = opened()
  const { cardId, customerId } = await anotherCard(service, cardNumber)
  const given = { startDate: DAY as Day, storedCardId: cardId, customerId, amount: ++amounts as Cents }
  return { service, due: await subscribe(service, given) }
}

async function sales({ simulator }: BillingService, { amount }: Pick<Subscription, 'amount'>): Promise<number> {
  return (await simulator.rows()).filter((row) => row.op === 'sale' && row.amount === amount).length
}

async function shown(service: BillingService, due: Subscription) {
  const { subscription, bill } = await load(service, due)
  const { payments, bills } = await recordsOf(service, due)
  return {
    status: subscription.status,
    paidBills: subscription.paidBills,
    bill: bills.map(({ status, closed_reason }) => closed_reason ?? status).join(),
    failedAttempts: bill?.failedAttempts ?? null,
    payments: payments.map(({ status, trigger, attempt }) => `${status} ${trigger} ${attempt}`),
  }
}

describe('A bill whose charge gets no result', () => {
  test('is not charged again while the outcome is unknown, and an approval is adopted (BIL-21)', async () => {
    const { service, due } = await openDue()
    await scriptSales(service, 'silent_recorded')
    equal((await run(service)).unknown, 1)
    const charging = await load(service, due)
    equal(charging.isCharging, true)
    // Its process may still be waiting: other schedulers change nothing.
    equal((await run(service)).bills, 0)
    deepEqual(await load(service, due), charging)
    // After a minute it is not: the subscription is checked later.
    service.clock.advance(60)
    equal((await run(service)).bills, 0)
    ok(Number((await load(service, due)).subscription.dueAt) > service.clock.now().getTime())
    equal((await run(service)).bills, 0)
    await resolveAll(service)
    equal((await run(service)).bills, 0)
    equal(await sales(service, due), 1)
    deepEqual(await shown(service, due), {
      status: 'active',
      paidBills: 1,
      bill: 'FULFILLED',
      failedAttempts: null,
      payments: ['succeeded scheduled 1'],
    })
    equal((await load(service, due)).subscription.dueAt?.getTime(), midnight('2027-04-10').getTime())
  })

  test('is charged again soon when the gateway has nothing, and no attempt is counted (BIL-21)', async () => {
    const { service, due } = await openDue()
    await scriptSales(service, 'silent_not_recorded')
    equal((await run(service)).unknown, 1)
    await resolveAll(service)
    equal((await run(service)).bills, 0)
    service.clock.advance(301)
    equal((await run(service)).approved, 1)
    deepEqual((await shown(service, due)).payments, ['succeeded scheduled 1'])
  })

  test('counts an attempt when a decline is found, with its payment, its retry and the block of its card', async () => {
    const { service, due } = await openDue()
    const { due: lost } = await openDue('6011111111111117')
    await service.simulator.script({ latency: { minMs: LATE_MS, maxMs: LATE_MS } })
    await scriptSales(service, 'declined', 'declined')
    equal((await run(service)).unknown, 2)
    await service.simulator.resetScript()
    await resolveAll(service)
    const { bill } = await load(service, due)
    deepEqual([bill?.failedAttempts, bill?.nextAttemptAt], [1, midnight('2027-03-13')])
    deepEqual((await shown(service, due)).payments, ['failed scheduled 1'])
    deepEqual((await recordsOf(service, lost)).events, ['payment.failed'])
  })

  for (const [outcome, latencyMs, block] of [
    ['lost_card', LATE_MS, 'NC'],
    ['never_again', LATE_MS, 'ND'],
    ['stop_recurring_reset', 0, 'ND'],
  ] as const) {
    const found = latencyMs > 0 ? 'arrives late' : 'is found by inquiry'
    test(`by ${outcome} that ${found} ends, and blocks the card (BIL-20)`, async () => {
      const { service, due } = await openDue()
      await service.simulator.script({ latency: { minMs: latencyMs, maxMs: latencyMs } })
      await scriptSales(service, outcome)
      equal((await run(service)).unknown, 1)
      await service.simulator.resetScript()
      await resolveAll(service)
      equal((await shown(service, due)).bill, 'do_not_retry')
      await using book = moneyRows(service.databaseUrl)
      const [card] = await book.query('select charge_block from stored_card where id = $1', [due.storedCardId])
      deepEqual(card, { charge_block: block })
    })
  }

  test('that recovery finds approved in part is reversed, and counts as a decline (BIL-19)', async () => {
    const { service, due } = await openDue()
    await service.simulator.script({ latency: { minMs: LATE_MS, maxMs: LATE_MS } })
    await scriptSales(service, 'partial_ap')
    equal((await run(service)).unknown, 1)
    await service.simulator.resetScript()
    await resolveAll(service)
    deepEqual((await shown(service, due)).payments, ['failed scheduled 1'])
  })

  test('because the gateway is away is not sent and not counted, and is repeated with growing delays', async () => {
    const { service, due } = await openDue()
    const { services } = service.app
    const sale = async () => ({ outcome: 'not_sent' as const, message: 'ECONNREFUSED' })
    const away = { ...services, gateways: (name: string) => ({ ...services.gateways(name), sale }) }
    const waits: number[] = []
    for (let tries = 0; tries < 4; tries++) {
      const { bills, declined, unknown } = await run({ app: { ...service.app, services: away } })
      deepEqual([bills, declined, unknown], [1, 0, 0])
      const { dueAt } = (await load(service, due)).subscription
      waits.push(((dueAt?.getTime() ?? 0) - service.clock.now().getTime()) / 1_000)
      service.clock.advance(1_200)
    }
    deepEqual(waits, [300, 600, 1_200, 1_800])
    service.clock.advance(2_000)
    equal((await run(service)).approved, 1)
    deepEqual((await shown(service, due)).payments, ['succeeded scheduled 1'])
  })
})

describe('A subscription that is canceled while its charge is open', () => {
  const CASES = [
    ['approved', { bill: 'FULFILLED', paidBills: 1, payments: ['succeeded scheduled 1'] }],
    ['declined', { bill: 'canceled', paidBills: 0, payments: ['failed scheduled 1'] }],
  ] as const
  for (const [outcome, expected] of CASES) {
    test(`still gets its outcome: ${outcome} (SUB-10)`, async () => {
      const { service, due } = await openDue()
      await service.simulator.script({ latency: { minMs: 700, maxMs: 700 } })
      await scriptSales(service, outcome)
      const running = run(service)
      await until('its charge is open', async () => (await load(service, due)).isCharging)
      const business = await businessOf(service)
      await cancelSubscription(service.app.services, { business, id: due.id })
      equal((await running)[outcome], 1)
      deepEqual(await shown(service, due), { ...expected, status: 'canceled', failedAttempts: null })
      equal((await load(service, due)).subscription.dueAt, null)
    })
  }

  test('and of which recovery finds nothing has no open bill', async () => {
    const { service, due } = await openDue()
    await scriptSales(service, 'silent_not_recorded')
    await run(service)
    await cancelSubscription(service.app.services, { business: await businessOf(service), id: due.id })
    await resolveAll(service)
    deepEqual(await shown(service, due), {
      status: 'canceled',
      paidBills: 0,
      bill: 'canceled',
      failedAttempts: null,
      payments: [],
    })
  })
})

describe('Several schedulers at once', () => {
  test('charge each of two pages of due subscriptions once (BIL-28)', async () => {
    const due = 220
    const service = await openBillingService(DAY, { timeScale: 1 })
    await using _closing = service
    const others = await Promise.all(
      [1, 2, 3].map(() => openService({ beside: service, clock: service.clock, timeScale: service.timeScale })),
    )
    await using _others = new AsyncDisposableStack()
    // The gateway of the first service.
    const services = [service, ...others].map(({ app }) => ({
      ...app.services,
      gateways: service.app.services.gateways,
    }))
    for (const other of others) _others.use(other)
    for (let made = 0; made < due; made++) await subscribe(service, { startDate: DAY as Day })
    const runs = await Promise.all(services.map((each) => run({ app: { ...service.app, services: each } })))
    equal(
      runs.reduce((sum, { approved }) => sum + approved, 0),
      due,
    )
    ok(
      runs.every(({ unknown, declined }) => unknown + declined === 0),
      JSON.stringify(runs),
    )
    equal(await sales(service, { amount: 1_000 as Cents }), due)
    await using book = moneyRows(service.databaseUrl)
    deepEqual(await book.query(`select count(*)::int as paid from subscription where paid_bills = 1`), [{ paid: due }])
    await assertSoundBooks(service)
  })
})

describe('A retry that the merchant asks for', () => {
  test('charges the open bill now, counts as an attempt, and moves the rest of the series (SUB-34, BIL-17)', async () => {
    const { service, due } = await openDue()
    const ask = async () =>
      retryNow(service.app.services, { business: await businessOf(service), subscriptionId: due.id })
    await rejects(ask(), { code: 'conflict' })
    await scriptSales(service, 'declined', 'declined')
    await run(service)
    service.clock.set(midnight('2027-03-12'))
    deepEqual((await ask()).status, 'failed')
    equal((await runOn(service, '2027-03-14')).bills, 0)
    const { bill } = await load(service, due)
    deepEqual([bill?.failedAttempts, bill?.nextAttemptAt], [2, midnight('2027-03-15')])
    const paid = await ask()
    deepEqual([paid.status, paid.trigger, paid.attempt], ['succeeded', 'manual', 3])
    await rejects(ask(), { code: 'conflict' })
  })

  test('is refused while a charge is open, and recovery records why it was charged', async () => {
    const { service, due } = await openDue()
    const ask = async () =>
      retryNow(service.app.services, { business: await businessOf(service), subscriptionId: due.id })
    await scriptSales(service, 'declined', 'silent_recorded')
    await run(service)
    service.clock.set(midnight('2027-03-11'))
    await rejects(ask(), { code: 'gateway_timeout' })
    await rejects(ask(), { code: 'conflict' })
    await resolveAll(service)
    deepEqual((await shown(service, due)).payments, ['failed scheduled 1', 'succeeded manual 2'])
  })

  test('is refused for a card that is blocked or detached', async () => {
    const { service, due } = await openDue()
    await using book = moneyRows(service.databaseUrl)
    await scriptSales(service, 'declined')
    await run(service)
    const before = await sales(service, due)
    for (const change of [`charge_block = 'NC'`, 'charge_block = null, detached_at = created_at']) {
      await book.query(`update stored_card set ${change} where id = $1`, [due.storedCardId])
      const asked = retryNow(service.app.services, { business: await businessOf(service), subscriptionId: due.id })
      await rejects(asked, { code: 'conflict' })
    }
    equal(await sales(service, due), before)
  })
})
