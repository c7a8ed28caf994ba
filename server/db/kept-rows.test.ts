import { deepEqual, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'

// Rows that other tables refer to without a foreign key must never be deleted.

const KEPT = {
  business: ['id'],
  terminal: ['business_id', 'id'],
  oauth_client: ['id'],
  vault_key: ['business_id', 'id'],
  vault_card: ['business_id', 'id'],
  customer: ['business_id', 'id'],
  stored_card: ['business_id', 'id'],
  checkout_session: ['business_id', 'id'],
  operation: ['business_id', 'id'],
  refund: ['business_id', 'id'],
  batch: ['business_id', 'id'],
  invoice: ['business_id', 'id'],
}
const REFUSED = { code: '23001', message: /are never deleted, and their keys never change/ }

let database: TestDatabase
let client: pg.Client
before(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

for (const [table, key] of Object.entries(KEPT)) {
  describe(`A row of ${table}`, () => {
    test('cannot be deleted', () => rejects(client.query(`delete from ${table}`), REFUSED))
    test('cannot be truncated', () => rejects(client.query(`truncate ${table} cascade`), REFUSED))
    for (const column of key) {
      test(`cannot change its ${column}`, () =>
        rejects(client.query(`update ${table} set ${column} = gen_random_uuid()`), REFUSED))
    }
  })
}

describe('Rows that a payment writes', () => {
  const HOT = ['checkout_session', 'operation', 'payment', 'event', 'gateway_reference', 'webhook_delivery']

  test('have no foreign keys in either direction: each check would lock a parent row', async () => {
    const { rows } = await client.query(
      `select conname from pg_constraint where contype = 'f'
         and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))`,
      [HOT],
    )
    deepEqual(rows, [])
  })

  test('have no row-level trigger', async () => {
    const { rows } = await client.query(
      'select tgname from pg_trigger where tgrelid = any($1::text[]::regclass[]) and tgtype & 1 = 1',
      [HOT],
    )
    deepEqual(rows, [])
  })

  test('have no generated column, whose expression would be parsed on each write', async () => {
    const { rows } = await client.query(
      `select attname from pg_attribute where attrelid = any($1::text[]::regclass[]) and attgenerated <> ''`,
      [[...HOT, 'customer', 'stored_card', 'vault_card']],
    )
    deepEqual(rows, [])
  })
})
