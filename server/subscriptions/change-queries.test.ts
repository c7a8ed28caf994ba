import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { subscriptionOf } from '../../test/support/subscription-of.ts'
import { connect, type Database } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { newEvent } from '../events/event.ts'
import { newId } from '../lib/ids.ts'
import type { Bill } from './bill.ts'
import { insertSubscription, saveChange } from './change-queries.ts'
import { closedBill } from './lifecycle/end-billing.ts'
import { newBill } from './lifecycle/open-bill.ts'
import type { Pause } from './pause.ts'
import type { Day } from './plan/calendar.ts'
import type { LoadedSubscription, Subscription } from './subscription.ts'
import { findSubscription, lockSubscription } from './subscription-queries.ts'

const NOW = new Date('2026-03-01T05:00:00Z')

const billOf = (periodNo: number, start: string, end: string): Bill =>
  newBill({ segmentNo: 0, periodNo, periodStart: start as Day, periodEnd: end as Day }, NOW)

const pauseOf = (given: Partial<Pause> = {}): Pause => ({
  id: newId(),
  status: 'pending',
  mode: 'period_end',
  reason: 'holiday',
  unusedTimeBehavior: null,
  scheduledFor: NOW,
  pausedAt: null,
  paidThroughAt: NOW,
  remainingPaidSeconds: 0,
  refundConfirmed: false,
  refundReference: null,
  refundNote: null,
  resumeMode: null,
  resumedAt: null,
  createdAt: NOW,
  ...given,
})

describe('A subscription', () => {
  let testDatabase: TestDatabase
  let database: Database

  before(async () => {
    testDatabase = await createTestDatabase()
    database = connect({ url: testDatabase.url })
  })
  after(async () => {
    await database.close()
    await testDatabase.drop()
  })

  const event = ({ businessId, id }: Subscription, type: 'subscription.created' | 'subscription.updated') =>
    newEvent({ businessId, type, objectId: id, data: { object: { id } }, createdAt: NOW })

  async function create(given: Partial<Subscription> = {}): Promise<LoadedSubscription> {
    const subscription = subscriptionOf(given)
    await insertSubscription(database.db, { subscription, events: [event(subscription, 'subscription.created')] })
    return load(subscription)
  }

  async function load({ businessId, id }: Pick<Subscription, 'businessId' | 'id'>): Promise<LoadedSubscription> {
    const found = await findSubscription(database.db, businessId, id)
    ok(found)
    return found
  }

  test('is read as it was written', async () => {
    const written = subscriptionOf({
      taxRatePpm: 130_000,
      surchargeRatePpm: 24_000,
      installments: 12,
      metadata: { plan: 'gold', seats: 3 },
      cancelAt: NOW,
      cancellationComment: 'too dear',
    })
    await insertSubscription(database.db, { subscription: written, events: [] })
    deepEqual(await load(written), { subscription: written, bill: null, pause: null, isCharging: false })
  })

  test('is found by each of its prices once', async () => {
    const [one, other] = [newId(), newId()]
    const items = [one, other, one].map((priceId) => ({ id: newId(), priceId, quantity: 1 }))
    const { subscription } = await create({ items })
    const found = await database.db
      .selectFrom('subscription_price')
      .select(['business_id', 'price_id', 'created_at'])
      .where('subscription_id', '=', subscription.id)
      .orderBy('price_id')
      .execute()
    const { businessId: business_id, createdAt: created_at } = subscription
    deepEqual(
      found,
      [one, other].sort().map((price_id) => ({ business_id, price_id, created_at })),
    )
  })

  test('changes with its bill, its pause and its events, and its version is raised', async () => {
    const before = await create()
    const bill = billOf(1, '2026-02-28', '2026-03-31')
    const pause = pauseOf()
    const changed: Subscription = { ...before.subscription, nextPeriodNo: 2, dueAt: null, lastFailedAttemptAt: NOW }
    const events = [event(changed, 'subscription.updated'), event(changed, 'subscription.updated')]
    equal(await saveChange(database.db, { before, after: changed, bills: [bill], pauses: [pause], events }), true)
    deepEqual(await load(changed), { subscription: { ...changed, version: 2 }, bill, pause, isCharging: false })
    const recorded = await database.db
      .selectFrom('event')
      .select('sequence')
      .where('object_id', '=', changed.id)
      .orderBy('sequence')
      .execute()
    deepEqual(
      recorded.map(({ sequence }) => sequence),
      [1, 2, 3],
    )
  })

  test('is not changed by a writer that was overtaken', async () => {
    const before = await create()
    equal(await saveChange(database.db, { before, after: { ...before.subscription, paidBills: 2 } }), true)
    const late = {
      before,
      after: { ...before.subscription, paidBills: 9 },
      bills: [billOf(1, '2026-02-28', '2026-03-31')],
    }
    equal(
      await saveChange(database.db, { ...late, events: [event(before.subscription, 'subscription.updated')] }),
      false,
    )
    const { subscription, bill } = await load(before.subscription)
    deepEqual([subscription.paidBills, subscription.version, bill], [2, 2, null])
  })

  test('of four writers at once, one writes', async () => {
    const before = await create()
    const written = await Promise.all(
      [2, 3, 4, 5].map((paidBills) =>
        saveChange(database.db, { before, after: { ...before.subscription, paidBills } }),
      ),
    )
    equal(written.filter(Boolean).length, 1)
  })

  test('closes a bill and opens the next one in one change; a period is billed once', async () => {
    const first = await create()
    const bill = billOf(1, '2026-02-28', '2026-03-31')
    await saveChange(database.db, { before: first, after: first.subscription, bills: [bill] })
    const second = await load(first.subscription)
    const next = billOf(2, '2026-03-31', '2026-04-30')
    const bills = [closedBill(bill, 'exhausted', NOW), next]
    equal(await saveChange(database.db, { before: second, after: second.subscription, bills }), true)
    const third = await load(first.subscription)
    deepEqual(third.bill, next)
    const again = saveChange(database.db, {
      before: third,
      after: third.subscription,
      bills: [closedBill(next, 'skipped', NOW), billOf(1, '2026-02-28', '2026-03-31')],
    })
    await rejects(again, /bill_once/)
  })

  test('has one unresolved pause', async () => {
    const before = await create()
    const pauses = [pauseOf(), pauseOf({ status: 'active', pausedAt: NOW })]
    const twice = saveChange(database.db, { before, after: before.subscription, pauses })
    await rejects(twice, /subscription_pause_one_unresolved/)
    const one = saveChange(database.db, { before, after: before.subscription, pauses: pauses.slice(1) })
    equal(await one, true)
    const { pause } = await load(before.subscription)
    equal(pause?.status, 'active')
  })

  test('of another business is not found', async () => {
    const { subscription } = await create()
    equal(await findSubscription(database.db, newId(), subscription.id), undefined)
  })

  test('is read under its lock as the holder before left it', async () => {
    const before = await create()
    const { businessId, id } = before.subscription
    const isLocked = Promise.withResolvers<void>()
    const mayWrite = Promise.withResolvers<void>()
    const holder = transaction(database.db, async (tx) => {
      const locked = await lockSubscription(tx, businessId, id)
      ok(locked)
      isLocked.resolve()
      await mayWrite.promise
      await saveChange(tx, { before: locked, after: { ...locked.subscription, paidBills: 7 } })
    })
    await isLocked.promise
    const waiting = transaction(database.db, (tx) => lockSubscription(tx, businessId, id))
    mayWrite.resolve()
    await holder
    equal((await waiting)?.subscription.paidBills, 7)
  })
})
