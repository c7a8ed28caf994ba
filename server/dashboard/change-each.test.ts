import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Type from 'typebox'
import { BULK_MAX } from '../../contract/dashboard/bulk.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { OPERATOR } from '../audit/actor.ts'
import { connect, type Database } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { systemClock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { createKeyring } from '../lib/keyring.ts'
import { changeEachOnce } from './change-each.ts'
import type { DashboardCall } from './dashboard-call.ts'
import type { BulkItem } from './defined-routes.ts'

// Tests what is true of every bulk change, whatever it changes (DSH-37).

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

const keyring = createKeyring([Buffer.alloc(32, 7)])
const Items = Type.Object({ ids: Type.Array(Type.String()) })

/** @param change changes one object: it writes a saved view by its id */
function bulk(ids: readonly string[], change: (item: BulkItem, tx: Tx) => Promise<void>, businessId = newId()) {
  const member = { business: { id: businessId }, actor: OPERATOR, session: { userId: 'owner' } }
  const call = { member, params: {}, body: { ids: [...ids] }, idempotencyKey: newId() }
  const definition = {
    ...{ permission: 'catalog.write' as const, action: 'product.update' as const, type: 'product' },
    items: (body: { ids: string[] }) => body.ids.map((id) => ({ id })),
    async change(_call: unknown, item: BulkItem, tx: Tx) {
      await change(item, tx)
      return { done: { id: item.id, version: '1' } }
    },
  }
  const run = () =>
    changeEachOnce<'POST /products/archive', typeof Items, BulkItem>(
      { db: database.db, clock: systemClock, keyring, guardForeign: (_member, _object, work) => work() },
      { name: 'POST /products/archive', definition, call: call as unknown as DashboardCall<{ ids: string[] }> },
    )
  return { run, businessId }
}

const inOrder = (count: number) => Array.from({ length: count }, () => newId()).sort()
const countOf = async (
  table: 'audit_entry' | 'dashboard_request' | 'session_reference',
  of: string,
  db = database.db,
) => (await db.selectFrom(table).select('business_id').where('business_id', '=', of).execute()).length

/** Writes a row that only this test looks at. */
const write = (tx: Tx, business_id: string, { id }: BulkItem) =>
  tx.insertInto('session_reference').values({ business_id, session_id: id, reference: 'x' }).execute()

describe('Several objects in one call (DSH-37)', () => {
  test('are changed in the order of their ids, whatever order was sent, so that no two calls wait in a circle', async () => {
    const [one = '', two = '', three = ''] = inOrder(3)
    for (const sent of [
      [one, two, three],
      [three, two, one],
      [two, three, one],
    ]) {
      const changed: string[] = []
      await bulk(sent, async ({ id }) => void changed.push(id)).run()
      deepEqual(changed, [one, two, three])
    }
  })

  test('have their audit rows after the last change, because the first row locks the end of the log', async () => {
    const businessId = newId()
    const rows: number[] = []
    const count = async (_item: BulkItem, tx: Tx) => void rows.push(await countOf('audit_entry', businessId, tx))
    await bulk(inOrder(3), count, businessId).run()
    deepEqual(rows, [0, 0, 0])
    equal(await countOf('audit_entry', businessId), 3)
  })

  test('one that is refused after it wrote has written nothing, and no audit row says that it was changed', async () => {
    const businessId = newId()
    const ids = inOrder(3)
    const change = async (item: BulkItem, tx: Tx) => {
      await write(tx, businessId, item)
      if (item.id === ids[1]) throw new ApiError('conflict', { message: 'Too late' })
    }
    const { body } = await bulk(ids, change, businessId).run()
    deepEqual(body, {
      object: 'bulk_result',
      done: [ids[0], ids[2]].map((id) => ({ id, version: '1' })),
      failed: [{ id: ids[1], code: 'conflict', message: 'Too late' }],
    })
    equal(await countOf('session_reference', businessId), 2)
    equal(await countOf('audit_entry', businessId), 2)
  })

  test('are all unchanged, and their key is free, when the service cannot change one', async () => {
    const businessId = newId()
    const ids = inOrder(3)
    const change = async (item: BulkItem, tx: Tx) => {
      await write(tx, businessId, item)
      if (item.id === ids[2]) throw new ApiError('unavailable', { message: 'Later' })
    }
    await rejects(bulk(ids, change, businessId).run(), { code: 'unavailable' })
    for (const table of ['session_reference', 'audit_entry', 'dashboard_request'] as const)
      equal(await countOf(table, businessId), 0, table)
  })

  test('are at most 100', () => equal(BULK_MAX, 100))
})
