import { doesNotThrow, equal, rejects, throws } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from './connection.ts'
import { assertNoTransaction, transaction } from './transaction.ts'

let created: TestDatabase
let database: Database
before(async () => {
  created = await createTestDatabase()
  database = connect({ url: created.url, max: 2 })
})
after(async () => {
  await database.close()
  await created.drop()
})

const count = async () => Number((await database.pool.query('select count(*) as n from rate_limit')).rows[0].n)
const insert = (key: string) => sql`insert into rate_limit (key) values (${key})`

describe('A transaction', () => {
  test('commits all of its work and returns its result', async () => {
    const before = await count()
    const result = await transaction(database.db, async (tx) => {
      await insert('a').execute(tx)
      await insert('b').execute(tx)
      return 'done'
    })
    equal(result, 'done')
    equal(await count(), before + 2)
  })

  test('rolls back when it throws, and rethrows the error', async () => {
    const before = await count()
    const failed = transaction(database.db, async (tx) => {
      await insert('c').execute(tx)
      throw new Error('rolled back')
    })
    await rejects(failed, /rolled back/)
    equal(await count(), before)
  })

  test('is detected at any depth, so that the gateway is not called during it', async () => {
    await transaction(database.db, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      throws(() => assertNoTransaction('The gateway'), /The gateway must not be called while a transaction is open/)
    })
  })

  test('of another request does not count', async () => {
    const { promise: until, resolve: end } = Promise.withResolvers<void>()
    const theirs = transaction(database.db, () => until)
    doesNotThrow(() => assertNoTransaction('The gateway'))
    end()
    await theirs
    doesNotThrow(() => assertNoTransaction('The gateway'))
  })
})
