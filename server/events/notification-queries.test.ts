import { deepEqual, equal } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { onOutbox } from '../db/outbox.ts'
import { transaction } from '../db/transaction.ts'
import { addSeconds } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { newEvent } from './event.ts'
import { recordEvent } from './event-queries.ts'
import { type ClaimedNotification, newNotification } from './notification.ts'
import {
  claimDueNotifications,
  claimNotificationsOf,
  finishNotifications,
  postponeNotification,
  recordNotification,
} from './notification-queries.ts'

const now = new Date('2026-11-22T12:00:00Z')
const leaseUntil = addSeconds(now, 60)
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

describe('Notifications that wait for a worker', () => {
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
  afterEach(async () => void (await database.pool.query('truncate event, notification')))

  const businessId = newId()
  const data = { endpoint_id: newId(), url: 'https://shop.example/hooks', reason: 'gone' }
  const disabled = (owner = businessId) =>
    newNotification({ businessId: owner, type: 'webhook_endpoint.disabled', data, createdAt: now })
  const record = (notification = disabled()) =>
    transaction(database.db, async (tx) => ({ ...notification, recorded: await recordNotification(tx, notification) }))
  const claim = (at = now) => claimDueNotifications(database.db, { now: at, leaseUntil: addSeconds(at, 60), limit: 10 })
  const finish = (one: ClaimedNotification) =>
    transaction(database.db, async (tx) => (await finishNotifications(tx, one.businessId, [one])).has(one.id))

  test('are recorded once by their id, wake the workers, and are taken with their data', async () => {
    const woken: string[] = []
    const stop = onOutbox(({ businessId: id }) => void woken.push(id))
    const notification = await record()
    stop()
    deepEqual([notification.recorded, woken], [true, [businessId]])
    equal((await record(notification)).recorded, false)
    const [claimed, ...others] = await claim()
    deepEqual(others, [])
    deepEqual(
      [claimed?.id, claimed?.type, claimed?.data, claimed?.event, claimed?.attempts],
      [notification.id, 'webhook_endpoint.disabled', data, null, 1],
    )
  })

  test('of an event bring the event', async () => {
    const objectId = newId()
    const event = { object: { id: objectId } }
    await transaction(database.db, (tx) =>
      recordEvent(tx, newEvent({ businessId, type: 'payment.refunded', objectId, data: event, createdAt: now })),
    )
    const [claimed] = await claim()
    deepEqual([claimed?.type, claimed?.event], ['payment.refunded', { objectId, data: event }])
  })

  test('are taken by one worker until the lease ends; the late one can neither finish nor postpone', async () => {
    await record()
    const [first] = await claim()
    deepEqual(await claim(), [])
    const [second] = await claim(addSeconds(now, 60))
    if (!first || !second) throw new Error('not taken')
    equal(second.attempts, 2)
    equal(await finish(first), false)
    await postponeNotification(database.db, first, now)
    equal(await finish(second), true)
    deepEqual(await claim(addSeconds(now, 600)), [])
    equal(await finish(second), false)
  })

  test('are taken again when they were postponed', async () => {
    await record()
    const [first] = await claim()
    if (!first) throw new Error('not taken')
    await postponeNotification(database.db, first, addSeconds(now, 300))
    deepEqual(await claim(addSeconds(now, 299)), [])
    equal((await claim(addSeconds(now, 300)))[0]?.attempts, 2)
  })

  test('are shared by workers that take at the same time', async () => {
    for (let made = 0; made < 20; made++) await record()
    const taken = (await Promise.all([claim(), claim()])).flat()
    equal(new Set(taken.map(({ id }) => id)).size, taken.length)
    equal(taken.length, 20)
  })

  test('of one business are taken from the worker that has them, each once, and no others', async () => {
    const mine = [await record(), await record()].map(({ id }) => id).sort()
    await record(disabled(newId()))
    const [held] = await claim()
    if (!held) throw new Error('not taken')
    const scope = { businessId, leaseUntil, limit: 1 }
    const [one] = await claimNotificationsOf(database.db, { ...scope, after: FIRST_ID })
    const [other] = await claimNotificationsOf(database.db, { ...scope, after: one?.id ?? '' })
    deepEqual([one?.id, other?.id], mine)
    deepEqual(await claimNotificationsOf(database.db, { ...scope, after: other?.id ?? '' }), [])
    if (held.businessId === businessId) equal(await finish(held), false)
  })

  test('of one business wait for the worker that is writing, and find nothing then', async () => {
    await record()
    const [held] = await claim()
    if (!held) throw new Error('not taken')
    const scope = { businessId, leaseUntil, limit: 1, after: FIRST_ID }
    const waiting = await transaction(database.db, async (tx) => {
      await finishNotifications(tx, held.businessId, [held])
      const found = claimNotificationsOf(database.db, scope)
      equal(
        await Promise.race([found.then(() => 'found'), new Promise((done) => setTimeout(done, 100, 'waits'))]),
        'waits',
      )
      return { found }
    })
    deepEqual(await waiting.found, [])
  })
})
