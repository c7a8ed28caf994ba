import { equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../../server/db/migrate.ts'
import { createTestDatabase } from './database.ts'

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end())
  return rows[0]?.[0]
}

describe('The database of a test', () => {
  test('is migrated and not shared', async () => {
    await using one = await createTestDatabase()
    await using other = await createTestDatabase()

    await ask(one.url, 'create table mine (id integer)')

    equal(await ask(one.url, 'select count(*)::integer from schema_migration'), readMigrations().length)
    equal(await ask(other.url, `select to_regclass('mine')`), null)
  })

  test('can be created concurrently', async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, () => createTestDatabase()))
    equal(new Set(databases.map(({ url }) => url)).size, 8)
    await Promise.all(databases.map((database) => database.drop()))
  })

  test('can be dropped while a client is connected', async () => {
    const database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()

    await database.drop()

    await rejects(ask(database.url, 'select 1'), /does not exist/)
    await client.end()
  })
})
