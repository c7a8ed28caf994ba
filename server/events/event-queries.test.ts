import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { EventType } from '../../contract/event.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { type OutboxCommit, onOutbox } from '../db/outbox.ts'
import { run, statement } from '../db/statement.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../lib/ids.ts'
import { newEvent } from './event.ts'
import { eventsMembers, eventsValues, eventValues, firstEventMembers, recordEvent } from './event-queries.ts'

const businessId = newId()
const createdAt = new Date('2026-11-22T12:00:00Z')
const eventOf = (type: EventType, objectId = newId()) =>
  newEvent({ businessId, type, objectId, data: { object: { id: objectId } }, createdAt })

const FIRST = statement(
  'test_first_event',
  (p) => `with one as (select 1 as one), ${firstEventMembers(p, { source: 'one' })} select id from recorded`,
)
const SEVERAL = statement(
  'test_events',
  (p) => `with one as (select 1 as one), ${eventsMembers(p, 'one')} select id from recorded`,
)

describe('An event, in the statement that records it', () => {
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
  afterEach(() => query('truncate event, webhook_endpoint, webhook_delivery, notification'))
  const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
  const record = (type: EventType) =>
    run(database.db, FIRST, { businessId, at: createdAt, ...eventValues(eventOf(type)) })

  async function endpoint(given: { types?: string[]; owner?: string; status?: string; deleted?: boolean } = {}) {
    const { types = ['*'], owner = businessId, status = 'enabled', deleted = false } = given
    const id = newId()
    await query(
      `insert into webhook_endpoint (business_id, id, url, enabled_events, ordered, status, disabled_reason, secret,
        deleted_at, created_at, updated_at)
      values ($1, $2, 'http://127.0.0.1', $3, false, $4, $5, '', $6, $7, $7)`,
      [owner, id, types, status, status === 'disabled' ? 'manual' : null, deleted ? createdAt : null, createdAt],
    )
    return id
  }

  test('makes a delivery for each endpoint that receives its type, due at once', async () => {
    const all = await endpoint()
    const some = await endpoint({ types: ['product.created', 'product.updated'] })
    await endpoint({ types: ['price.created'] })
    await endpoint({ status: 'disabled' })
    await endpoint({ deleted: true })
    await endpoint({ owner: newId() })
    await record('product.created')
    const rows = await query(
      `select d.endpoint_id as id, d.status, d.due_at < '0001-01-01' as "isDue", d.sequence, e.object_id = d.object_id as same
       from webhook_delivery d join event e on e.business_id = d.business_id and e.id = d.event_id order by endpoint_id`,
    )
    const made = { status: 'pending', isDue: true, sequence: 1, same: true }
    deepEqual(
      rows,
      [all, some].sort().map((id) => ({ id, ...made })),
    )
  })

  test('makes one for each of several events, numbered by object', async () => {
    await endpoint()
    const objectId = newId()
    const events = [eventOf('subscription.created', objectId), eventOf('subscription.updated', objectId)]
    await run(database.db, SEVERAL, { businessId, ...eventsValues(events) })
    deepEqual(await query('select event_id as id, sequence from webhook_delivery order by sequence'), [
      { id: events[0]?.id, sequence: 1 },
      { id: events[1]?.id, sequence: 2 },
    ])
  })

  test('notifies people of the types that make letters, and refuses them where it could not', async () => {
    const events = [eventOf('subscription.created'), eventOf('subscription.cancelled')]
    await run(database.db, SEVERAL, { businessId, ...eventsValues(events) })
    await transaction(database.db, (tx) => recordEvent(tx, eventOf('payment.refunded')))
    deepEqual(await query('select type, id = event_id as same from notification order by type desc'), [
      { type: 'subscription.created', same: true },
      { type: 'payment.refunded', same: true },
    ])
    throws(() => eventValues(eventOf('payment.refunded')), /may make letters/)
  })

  test('leaves nothing when it is rolled back', async () => {
    await endpoint()
    const failed = transaction(database.db, async (tx) => {
      await recordEvent(tx, eventOf('payment.refunded'))
      throw new Error('rolled back')
    })
    await rejects(failed, /rolled back/)
    for (const table of ['event', 'webhook_delivery', 'notification'])
      equal((await query(`select from ${table}`)).length, 0, table)
  })

  test('wakes the workers of this process when it is committed, not before, and not when it is rolled back', async () => {
    const woken: OutboxCommit[] = []
    const stop = onOutbox((commit) => void woken.push(commit))
    try {
      await record('product.created')
      deepEqual(woken.splice(0), [{ businessId, notifies: false }])
      await transaction(database.db, async (tx) => {
        await recordEvent(tx, eventOf('payment.refunded'))
        deepEqual(woken, [])
      })
      deepEqual(woken.splice(0), [{ businessId, notifies: true }])
      await transaction(database.db, async (tx) => {
        await recordEvent(tx, eventOf('payment.refunded'))
        throw new Error('rolled back')
      }).catch(() => {})
      deepEqual(woken, [])
    } finally {
      stop()
    }
  })
})
