import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { generateTableTypes } from '../../scripts/generate-table-types.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'

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

const names = async (sql: string) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name)

describe('The tables', () => {
  test('match the types in server/db/tables.ts', () => {
    const { current, output } = generateTableTypes(database.url, { verify: true })
    equal(current, true, `run npm run db:types. ${output}`)
  })

  test('each have a comment', async () => {
    deepEqual(
      await names(`select relname as name from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') and obj_description(oid, 'pg_class') is null`),
      [],
    )
  })

  test('have no check or unique constraint without a comment', async () => {
    deepEqual(
      await names(`select conname as name from pg_constraint where connamespace = 'public'::regnamespace
        and contype in ('c', 'u', 'x') and obj_description(oid, 'pg_constraint') is null`),
      [],
    )
  })

  test('have no unique index without a comment', async () => {
    deepEqual(
      await names(`select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relnamespace = 'public'::regnamespace and i.indisunique
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
        and obj_description(c.oid, 'pg_class') is null`),
      [],
    )
  })

  test('have no column for a card number in clear text or for a CVV', async () => {
    deepEqual(
      await names(`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ '(^|_)(pan|cvv|cvc|cvv2|track|card_number)(_|$)'
          and column_name not in ('cvv_result', 'cvv_policy', 'saved_card_cvv_required')`),
      [],
    )
  })

  test('store amounts as bigint, in cents', async () => {
    deepEqual(
      await names(`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ 'amount' and data_type <> 'bigint'`),
      [],
    )
  })
})
