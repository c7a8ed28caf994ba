import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findByToken } from '../../server/checkout/sessions/load-session.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let book: MoneyRows
before(async () => {
  service = await openService()
  book = moneyRows(service.databaseUrl)
})
after(async () => {
  await book[Symbol.asyncDispose]()
  await service.close()
})

const updates = () =>
  book.query<{ name: string; all: number; hot: number }>(
    `select relname as name, n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables
     where relname in ('operation', 'checkout_session') order by relname`,
  )

describe('A payment', () => {
  test('updates its session and its operation without writing an index', async () => {
    const [merchant, payer] = [merchantOf(service), payerOf(service)]
    for (let n = 0; n < 30; n++) await payer.pay(await merchant.sessionToken())
    await until('the updates are counted', async () => (await updates()).every(({ all }) => all >= 30))
    for (const { name, all, hot } of await updates()) ok(hot / all >= 0.95, `${name}: ${hot} of ${all} are HOT`)
  })

  test('stores its event without the usual members of the session', async () => {
    const [event] = await book.query<{ list: number; members: string[] }>(
      `select (data -> 'left_out')::int as list, array(select jsonb_object_keys(data -> 'object')) as members from event
       where type = 'checkout.session.completed' limit 1`,
    )
    equal(event?.list, 1)
    deepEqual(event?.members.includes('id') && !event.members.includes('consent'), true)
  })
})

describe('What is remembered of a business for a second', () => {
  test('is neither its test clock nor the alarm of card testing', async () => {
    const token = await merchantOf(service).sessionToken()
    const load = async () => {
      const { business } = await findByToken(service.app.services, token)
      return [business.name, business.clockOffsetSeconds, business.newCardsRefusedUntil?.toISOString() ?? null]
    }
    const [name] = await load()
    await book.query(
      "update business set name = 'Another', clock_offset_seconds = 60, new_cards_refused_until = '2026-11-22T12:00:00Z'",
    )
    deepEqual(await load(), [name, 60, '2026-11-22T12:00:00.000Z'])
  })
})
