import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { addSeconds } from '../../server/lib/clock.ts'
import { addDays, billingDay, type Day, dayOf, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { movableClock } from '../support/movable-clock.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, type Subscriber, subscriptionBody } from '../support/subscriber.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// SUB-2: creation with a card and a later start. SUB-3: creation without a card.

const ZONE = 'America/New_York'
const DECLINES_VERIFICATION = '4000990000045009'
const SILENT_VERIFICATION = '4000990000046007'

const clock = movableClock()
let service: TestService
let ana: Subscriber
before(async () => {
  service = await openService({ clock })
  ana = await makeSubscriber(service)
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

/** Changes settings, which callers with a secret key see after a second. */
async function set(settings: Parameters<typeof setBusiness>[1]): Promise<void> {
  await setBusiness(service, settings)
  clock.advance(2)
}
const today = () => dayOf(new Date(), ZONE)
const inDays = (days: number) => addDays(today(), days)
const create = (more: Record<string, unknown> = {}, who = ana) =>
  who.api.post('/subscriptions', subscriptionBody(who, more))
const rowsOf = async (op: 'sale' | 'verify') => (await service.simulator.rows()).filter((row) => row.op === op)
const epoch = (day: Day) => instantOf(day, ZONE).getTime() / 1000

describe('POST /api/v1/subscriptions with a later start', () => {
  test('SUB-2: the card is verified, nothing is charged, and the first bill falls on the start', async () => {
    const [sales, verified] = [await rowsOf('sale'), await rowsOf('verify')]
    const start_date = inDays(10)
    const response = await create({ start_date, installments: 3 })
    equal(response.status, 201)
    const { body } = response
    deepEqual((await rowsOf('sale')).length, sales.length)
    const [row, ...more] = (await rowsOf('verify')).slice(verified.length)
    deepEqual(
      [row?.amount, row?.storedCredential?.reason, row?.storedCredential?.initial, more],
      [0, 'installment', true, []],
    )
    deepEqual(
      [body.status, body.start_date, body.billing_cycle_anchor, body.next_billing_at, body.installments_billed],
      ['active', start_date, start_date, epoch(start_date), 0],
    )
    deepEqual(
      [body.current_period_start, body.current_period_end, body.latest_payment, body.last_payment_at],
      [null, null, null, null],
    )
    deepEqual((await ana.api.get(`/subscriptions/${body.id}`)).body, body)
    deepEqual((await ana.api.get(`/subscriptions/${body.id}/payments`)).body.data, [])
    deepEqual(
      (await eventsOf(service, body.id)).map(({ type, data }) => [type, data]),
      [['subscription.created', { object: body }]],
    )
    const due = await service.app.services.db
      .selectFrom('subscription')
      .select('due_at')
      .where('id', '=', body.id)
      .executeTakeFirst()
    deepEqual(due?.due_at, instantOf(start_date, ZONE))
  })

  test('a refused verification is 402, and nothing is left', async () => {
    const bob = await makeSubscriber(service, { card: DECLINES_VERIFICATION })
    const rows = await countRows(service.databaseUrl)
    const response = await create({ start_date: inDays(1) }, bob)
    assertMerchantRefused(response, 402, 'card_declined', 'payment_method')
    equal(response.body.error.decline_code, 'ND')
    deepEqual(await addedRows(service.databaseUrl, rows), {})
    equal((await create({}, bob)).status, 201)
  })

  test('no response to the verification is 503, and nothing is left', async () => {
    const bob = await makeSubscriber(service, { card: SILENT_VERIFICATION })
    const rows = await countRows(service.databaseUrl)
    assertMerchantRefused(await create({ start_date: inDays(1) }, bob), 503, 'unavailable', null)
    deepEqual(await addedRows(service.databaseUrl, rows), {})
  })

  test('a gateway that cannot verify: the card is accepted', async () => {
    const { capabilities } = service.app.services.gateways('simulator')
    const verified = await rowsOf('verify')
    Object.assign(capabilities, { verification: false })
    try {
      equal((await create({ start_date: inDays(1) })).status, 201)
      equal((await rowsOf('verify')).length, verified.length)
    } finally {
      Object.assign(capabilities, { verification: true })
    }
  })

  test('the setting at_create charges the first period at once', async () => {
    await set({ first_charge: 'at_create' })
    try {
      const bob = await makeSubscriber(service)
      const start_date = inDays(10)
      const { status, body } = await create({ start_date }, bob)
      const next = billingDay(start_date, { interval: 'month', count: 1 }, 1)
      deepEqual(
        [status, body.status, body.installments_billed, body.current_period_start, body.next_billing_at],
        [201, 'active', 1, epoch(start_date), epoch(next)],
      )
      const [payment] = (await bob.api.get(`/subscriptions/${body.id}/payments`)).body.data
      deepEqual(
        [payment.status, payment.trigger, payment.period],
        ['succeeded', 'initial', { start: start_date, end: next }],
      )
    } finally {
      await set({ first_charge: 'on_start_date' })
    }
  })

  test('today and a year ahead are the bounds; a day is a day of the calendar', async () => {
    for (const start_date of [today(), '', null])
      equal((await create({ start_date })).body.installments_billed, 1, `${start_date}: today`)
    const last = billingDay(today(), { interval: 'year', count: 1 }, 1)
    equal((await create({ start_date: last })).status, 201)
    const wrong = [inDays(-1), addDays(last, 1), '2027-02-30', '2027-2-3', '0000-01-01', 20270203]
    for (const start_date of wrong)
      assertMerchantRefused(await create({ start_date }), 422, 'parameter_invalid', 'start_date')
  })

  test('today is the day in the time zone of the business, by its test clock', async () => {
    await set({ clock_offset_seconds: 5 * 86_400 })
    try {
      const bob = await makeSubscriber(service)
      const { body } = await create({}, bob)
      const now = addSeconds(new Date(), 5 * 86_400)
      deepEqual([body.start_date, body.current_period_start], [dayOf(now, ZONE), epoch(dayOf(now, ZONE))])
      assertMerchantRefused(await create({ start_date: inDays(4) }, bob), 422, 'parameter_invalid', 'start_date')
    } finally {
      await set({ clock_offset_seconds: 0 })
    }
  })
})

describe('POST /api/v1/subscriptions without a card', () => {
  const withoutCard = (more: Record<string, unknown> = {}) => create({ payment_method: undefined, ...more })

  test('SUB-3: waits for it: nothing is charged, verified or scheduled', async () => {
    const calls = (await service.simulator.rows()).length
    const { status, body } = await withoutCard({ tax_rate: 13, surcharge_rate: 2.4 })
    equal((await service.simulator.rows()).length, calls)
    deepEqual([status, body.status, body.payment_method], [201, 'pending_payment_method', null])
    deepEqual([body.next_billing_at, body.current_period_start, body.installments_billed], [null, null, 0])
    deepEqual([body.tax_amount, body.surcharge_amount, body.amount], [325, 68, 2893])
    deepEqual(
      (await eventsOf(service, body.id)).map(({ type }) => type),
      ['subscription.created'],
    )
    deepEqual((await ana.api.get(`/subscriptions/${body.id}`)).body, body)
  })

  test('send_payment_link is true unless given, and only without a card', async () => {
    const sends = async (more: Record<string, unknown>) => {
      const { body } = await create(more)
      const { db } = service.app.services
      const row = await db
        .selectFrom('subscription')
        .select('sends_payment_link')
        .where('id', '=', body.id)
        .executeTakeFirst()
      return row?.sends_payment_link
    }
    const payment_method = undefined
    deepEqual(
      [
        await sends({ payment_method }),
        await sends({ payment_method, send_payment_link: false }),
        await sends({ payment_method, send_payment_link: true }),
        await sends({ send_payment_link: true }),
      ],
      [true, false, true, false],
    )
  })
})
