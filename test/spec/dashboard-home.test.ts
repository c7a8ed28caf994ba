import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { KEPT_MS } from '../../server/lib/ttl-cache.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { movableClock } from '../support/movable-clock.ts'
import { setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { createSubscribed, makeSubscribable } from '../support/subscriptions.ts'

const DAY = 86_400
let service: TestService
let owner: DashboardClient
const clock = movableClock()
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

const home = async (query: Record<string, string> = {}) => {
  const { status, body } = await owner.call('GET /home', { query })
  equal(status, 200, JSON.stringify(body))
  return body
}
const pay = async (cardNumber: string = CARDS.visa) => {
  const { body } = await payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(cardNumber))
  return body
}
const NOTHING = { approved: 0, approved_amount: 0, failed: 0, failed_amount: 0, refunded: 0, refunded_amount: 0 }
const figures = ({ day: _day, ...rest }: { day: string }) => rest

describe('Home', () => {
  test('of an empty business has the steps to a first payment', async () => {
    const body = await home()
    deepEqual([body.first_steps, figures(body.today), body.days.length], [{ has_session: false }, NOTHING, 30])
    deepEqual([body.sessions, body.failures, body.latest_payments], [{ opened: 0, paid: 0 }, [], []])
    await merchantOf(service).sessionToken()
    deepEqual((await home()).first_steps, { has_session: true })
  })

  test('counts what was approved, declined and given back today, in the currency asked for', async () => {
    equal((await pay()).ok, true)
    equal((await pay(CARDS.declined)).ok, false)
    equal((await pay(CARDS.declined)).ok, false)
    const sold = await makeSubscribable(service)
    const { latest_payment: first } = await createSubscribed(service, sold)
    const { latest_payment: second } = await createSubscribed(service, sold)
    await merchantApiOf(service).made('/refunds', { payment: first, amount: 234 })
    await merchantApiOf(service).post('/voids', { payment: second })
    const body = await home()
    // 25.50 typed, 25.50 with which the card was stored, 12.34 for the subscription; the other one was voided.
    deepEqual(figures(body.today), {
      approved: 3,
      approved_amount: 6_334,
      failed: 2,
      failed_amount: 5_100,
      refunded: 1,
      refunded_amount: 234,
    })
    deepEqual(body.days.at(-1), body.today)
    deepEqual(body.failures, [{ code: 'ND', count: 2 }])
    deepEqual(body.sessions, { opened: 5, paid: 2 })
    equal(body.first_steps, null)
    // The same statuses as in the list of payments, including declined attempts and partial refunds.
    const statuses = (rows: { id: string; status: string }[]) => rows.map(({ id, status }) => [id, status])
    deepEqual(statuses(body.latest_payments), statuses((await owner.call('GET /payments')).body.data))
    deepEqual(
      body.latest_payments.map(({ status }: { status: string }) => status),
      ['voided', 'partially_refunded', 'succeeded', 'failed', 'failed', 'succeeded'],
    )
    equal(body.latest_payments[1].refunded_amount, 234)
    equal(body.latest_events.length, 5)
    deepEqual(figures((await home({ currency: 'CAD' })).today), NOTHING)
    deepEqual(body.currencies, ['USD', 'CAD'])
    equal((await owner.call('GET /home', { query: { currency: 'EUR' } })).status, 422)
  })

  test('compares with the same weekday until the same time, by the days of the business', async () => {
    const { db } = service.app.services
    const before = (await home()).today
    clock.advance(7 * DAY + 60)
    owner = await signIn(service)
    const later = await home()
    deepEqual([later.week_ago, figures(later.today)], [before, NOTHING])
    // A later payment on that day belongs to the day, but not to the compared part.
    const late = new Date(clock.now().getTime() - 7 * DAY * 1_000 + 1_000)
    await db
      .updateTable('payment')
      .set({ created_at: late })
      .where('amount', '=', 1_234)
      .where('status', '=', 'succeeded')
      .execute()
    const after = await home()
    const isSameDay = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York' }).format(late) === before.day
    deepEqual([after.week_ago.approved, after.week_ago.approved_amount], [2, 5_100])
    if (isSameDay)
      deepEqual(
        after.days.find(({ day }: { day: string }) => day === before.day),
        before,
      )
  })

  test('counts each of 30 days once', async () => {
    const person = await signIn(service)
    await sql`insert into payment select r.* from (select * from payment where status = 'succeeded' limit 1) p,
      generate_series(0, 29) n,
      lateral (select (${clock.now()}::timestamptz at time zone 'America/New_York' - n * interval '1 day')
        at time zone 'America/New_York' as at),
      jsonb_populate_record(null::payment, to_jsonb(p) || jsonb_build_object('id', uuidv7(at - now()), 'created_at', at,
        'operation_id', gen_random_uuid(), 'session_id', null, 'currency', 'CAD', 'amount', 100 + n, 'refunded_amount', 0)) r`.execute(
      service.app.services.db,
    )
    const { body } = await person.call('GET /home', { query: { currency: 'CAD' } })
    deepEqual(
      body.days.map((day: { approved: number; approved_amount: number }) => [day.approved, day.approved_amount]),
      Array.from({ length: 30 }, (_none, index) => [1, 129 - index]),
    )
    deepEqual([body.week_ago.approved_amount, body.today.approved_amount], [107, 100])
  })

  test('follows the test clock of the business: what was declined is of the day of its session', async () => {
    await using ahead = await openService()
    const person = await signIn(ahead)
    await payerOf(ahead).pay(await merchantOf(ahead).sessionToken(), payBody(CARDS.declined))
    await setBusiness(ahead, { clock_offset_seconds: 40 * DAY })
    // The business of an access token is cached for a second.
    await sleep(KEPT_MS)
    await payerOf(ahead).pay(await merchantOf(ahead).sessionToken(), payBody(CARDS.declined))
    const { today, days } = (await person.call('GET /home')).body
    const failed = days.map((day: { failed: number }) => day.failed)
    deepEqual([today.failed, failed.reduce((sum: number, count: number) => sum + count, 0)], [1, 1])
  })
})
