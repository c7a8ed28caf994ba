import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from './connection.ts'
import { savepoint, transaction } from './transaction.ts'

let own: TestDatabase
let database: Database
before(async () => {
  own = await createTestDatabase()
  database = connect({ url: own.directUrl, max: 1 })
  await sql`create table note (text text primary key)`.execute(database.db)
})
after(async () => {
  await database.close()
  await own.drop()
})

async function notes(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from note order by text`.execute(database.db)
  return rows.map(({ text }) => text)
}

describe('A part of a transaction', () => {
  test('that is refused leaves nothing behind, and the transaction goes on', async () => {
    await transaction(database.db, async (tx) => {
      const write = (text: string) => sql`insert into note values (${text})`.execute(tx)
      await savepoint(tx, () => write('one'))
      const refused = savepoint(tx, async () => {
        await write('two')
        throw new Error('refused')
      })
      await rejects(refused, /refused/)
      // A failed statement would end the whole transaction.
      await rejects(
        savepoint(tx, () => write('one')),
        /duplicate key/,
      )
      equal(await savepoint(tx, async () => 'result'), 'result')
      await savepoint(tx, () => write('three'))
    })
    deepEqual(await notes(), ['one', 'three'])
  })

  test('that was done is rolled back with its transaction', async () => {
    const before = await notes()
    const refused = transaction(database.db, async (tx) => {
      await savepoint(tx, () => sql`insert into note values ('four')`.execute(tx))
      throw new Error('refused')
    })
    await rejects(refused, /refused/)
    deepEqual(await notes(), before)
  })
})
