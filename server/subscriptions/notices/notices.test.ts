import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { stillClock } from '../../../test/support/still-clock.ts'
import { subscriptionOf } from '../../../test/support/subscription-of.ts'
import { connect, type Database } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { insertSubscription } from '../change-queries.ts'
import { addDays, type Day, instantOf } from '../plan/calendar.ts'
import type { Subscription } from '../subscription.ts'
import { DAY_SECONDS } from './notice.ts'
import { notifyExpiringCards } from './notify-expiring-cards.ts'
import { notifyRenewals } from './notify-renewals.ts'

const ZONE = 'America/Toronto'
const TODAY = '2026-11-22' as Day
const START = instantOf(TODAY, ZONE)

let testDatabase: TestDatabase
let database: Database
before(async () => {
  testDatabase = await createTestDatabase()
  database = connect({ url: testDatabase.url, max: 10 })
})
after(async () => {
  await database.close()
  await testDatabase.drop()
})

async function makeBusiness(days: number | null = 7): Promise<string> {
  const id = newId()
  await database.pool.query(
    `insert into business (id, name, currency, country, time_zone, renewal_notice_days, created_at)
     values ($1, 'Studio', 'CAD', 'CA', $2, $3, $4)`,
    [id, ZONE, days, START],
  )
  return id
}

/** Creates a subscription whose next bill is in the given number of days. */
async function subscribe(businessId: string, inDays: number, given: Partial<Subscription> = {}): Promise<string> {
  const nextBillingDate = addDays(TODAY, inDays)
  const dueAt = instantOf(nextBillingDate, ZONE)
  const subscription = subscriptionOf({ businessId, timeZone: ZONE, nextBillingDate, dueAt, ...given })
  await insertSubscription(database.db, { subscription, events: [] })
  return subscription.id
}

async function noticesOf(businessId: string): Promise<Record<string, unknown>[]> {
  const rows = await database.db
    .selectFrom('notification')
    .select(['type', 'data', 'created_at'])
    .where('business_id', '=', businessId)
    .orderBy('created_at')
    .execute()
  return rows.map(({ type, data, created_at }) => ({ type, ...(data as object), at: created_at }))
}

const servicesAt = (at: Date) => ({ db: database.db, clock: stillClock(at.toISOString()) })
const renewalsAt = (businessId: string, at: Date) => notifyRenewals(servicesAt(at), businessId)
const inDays = (days: number) => addSeconds(START, days * DAY_SECONDS)

describe('Notices of renewals (LTR-18)', () => {
  test('are recorded as many days before the bill as the business has set, once', async () => {
    const businessId = await makeBusiness()
    const [soon] = [await subscribe(businessId, 6), await subscribe(businessId, 8), await subscribe(businessId, 30)]
    equal(await renewalsAt(businessId, START), 1)
    equal(await renewalsAt(businessId, START), 0)
    equal(await renewalsAt(businessId, addSeconds(inDays(1), -1)), 0)
    equal(await renewalsAt(businessId, inDays(1)), 1)
    equal(await renewalsAt(businessId, addSeconds(inDays(1), 60)), 0)
    deepEqual((await noticesOf(businessId))[0], {
      type: 'subscription.upcoming_renewal',
      subscription_id: soon,
      date: '2026-11-28',
      at: START,
    })
  })

  test('are of a business that has set the days, and of no other', async () => {
    const [off, on] = [await makeBusiness(null), await makeBusiness()]
    for (const businessId of [off, on]) await subscribe(businessId, 3)
    await notifyRenewals(servicesAt(START))
    deepEqual([(await noticesOf(off)).length, (await noticesOf(on)).length], [0, 1])
  })

  test('are not of subscriptions that will not renew then', async () => {
    const businessId = await makeBusiness()
    await subscribe(businessId, 3, { cancelAt: instantOf(addDays(TODAY, 3), ZONE) })
    await subscribe(businessId, 3, { paidBills: 0 })
    await subscribe(businessId, 3, { catchUpHeldAt: START })
    await subscribe(businessId, 3, { status: 'paused', dueAt: null })
    await subscribe(businessId, -1)
    equal(await renewalsAt(businessId, START), 0)
    await subscribe(businessId, 8, { cancelAt: instantOf(addDays(TODAY, 90), ZONE) })
    equal(await renewalsAt(businessId, inDays(2)), 1)
  })

  test('come at once when more days are set, and never twice when fewer are', async () => {
    const businessId = await makeBusiness(7)
    await subscribe(businessId, 20)
    const set = (days: number | null) =>
      database.pool.query('update business set renewal_notice_days = $2 where id = $1', [businessId, days])
    equal(await renewalsAt(businessId, START), 0)
    await set(30)
    equal(await renewalsAt(businessId, START), 1)
    await set(3)
    equal(await renewalsAt(businessId, inDays(17)), 0)
    await set(null)
    await subscribe(businessId, 40)
    await set(7)
    equal(await renewalsAt(businessId, inDays(35)), 1)
  })

  test('are recorded once by workers that run at the same time', async () => {
    const businessId = await makeBusiness()
    for (let made = 0; made < 450; made++) await subscribe(businessId, 5)
    const counts = await Promise.all(Array.from({ length: 4 }, () => renewalsAt(businessId, START)))
    equal(
      counts.reduce((sum, count) => sum + count, 0),
      450,
    )
    equal((await noticesOf(businessId)).length, 450)
  })

  test('are recorded once when the process ends between recording and moving on', async () => {
    const businessId = await makeBusiness()
    for (let made = 0; made < 3; made++) await subscribe(businessId, 5)
    await database.pool.query(
      "create function fail() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$",
    )
    await database.pool.query(
      'create trigger fail before update on notice_progress for each row execute function fail()',
    )
    await rejects(renewalsAt(businessId, START), /killed/)
    deepEqual(await noticesOf(businessId), [])
    await database.pool.query('drop trigger fail on notice_progress')
    equal(await renewalsAt(businessId, START), 3)
    // The notices are not repeated even if the progress itself is lost, as after a restore of some tables.
    await database.pool.query('delete from notice_progress where business_id = $1', [businessId])
    equal(await renewalsAt(businessId, START), 0)
  })
})

describe('Notices of cards that expire next month (LTR-19)', () => {
  const cardsAt = (businessId: string, day: string) =>
    notifyExpiringCards(servicesAt(instantOf(day as Day, ZONE)), businessId)

  async function charged(businessId: string, expiry: string, given: Partial<Subscription> = {}): Promise<string> {
    const [year, month] = expiry.split('-').map(Number)
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into stored_card (business_id, id, customer_id, brand, first6, last4, exp_month, exp_year, fingerprint,
         fingerprint_key_id, created_at)
       values ($1, $2, $3, 'visa', '424242', '4242', $4, $5, $6, 'a', $7) returning id`,
      [businessId, newId(), newId(), month, year, Buffer.from(newId()), START],
    )
    const storedCardId = rows[0]?.id ?? ''
    await subscribe(businessId, 20, { storedCardId, ...given })
    return storedCardId
  }

  test('are recorded once when the month before has begun in the time zone of the business', async () => {
    const businessId = await makeBusiness(null)
    const card = await charged(businessId, '2027-01')
    await charged(businessId, '2027-02')
    await charged(businessId, '2026-12')
    equal(await cardsAt(businessId, '2026-11-30'), 1)
    equal(await cardsAt(businessId, '2026-12-01'), 1)
    equal(await cardsAt(businessId, '2026-12-01'), 0)
    equal(await cardsAt(businessId, '2026-12-31'), 0)
    equal(await cardsAt(businessId, '2027-01-01'), 1)
    deepEqual((await noticesOf(businessId))[1], {
      type: 'card.expiring',
      stored_card_id: card,
      exp_month: 1,
      exp_year: 2027,
      at: instantOf('2026-12-01' as Day, ZONE),
    })
  })

  test('are not of cards that nothing will be charged to', async () => {
    const businessId = await makeBusiness(null)
    await charged(businessId, '2027-01', { status: 'canceled', dueAt: null })
    await charged(businessId, '2027-01', { cancelAt: inDays(20) })
    await charged(businessId, '2027-01', { storedCardId: newId() })
    const detached = await charged(businessId, '2027-01')
    await database.pool.query('update stored_card set detached_at = $2 where id = $1', [detached, START])
    equal(await cardsAt(businessId, '2026-12-01'), 0)
  })

  test('are one for a card of several subscriptions, by workers that run at the same time', async () => {
    const businessId = await makeBusiness(null)
    const storedCardId = await charged(businessId, '2027-01')
    await subscribe(businessId, 10, { storedCardId })
    const counts = await Promise.all(Array.from({ length: 4 }, () => cardsAt(businessId, '2026-12-01')))
    equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    )
  })
})
