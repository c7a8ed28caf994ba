import { deepEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { searchForm } from '../../contract/search-text.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openDb } from '../../test/support/pool.ts'
import type { Db } from './connection.ts'
import { inDatabase } from './search.ts'

let database: TestDatabase
let db: Db
before(async () => {
  database = await createTestDatabase()
  db = openDb(database.url)
})
after(async () => {
  await db.destroy()
  await database.drop()
})

let compared = 0
/** Returns the texts that the database normalizes differently from the service. */
async function differing(texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ given: string; form: string }>`
    select given, search_form(given) as form from unnest(${texts}::text[]) as given where unicode_assigned(given)`.execute(
    db,
  )
  // Node may know a newer Unicode than PostgreSQL.
  compared += rows.length
  return rows.flatMap(({ given, form }) => (form === ` ${inDatabase(searchForm(given))}` ? [] : [given]))
}

const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((one) => /[^\p{Cn}\p{Co}]/u.test(one))

describe('The form in which searches compare texts', () => {
  test('is the same in the database and in the service, for every character', async () => {
    for (let at = 0; at < CHARACTERS.length; at += 10_000) {
      const portion = CHARACTERS.slice(at, at + 10_000)
      deepEqual(await differing(portion), [])
      deepEqual(await differing(portion.map((one) => `A${one}e\u0301`)), [])
    }
    ok(compared > 1.9 * CHARACTERS.length, `${compared} of ${CHARACTERS.length}`)
  })

  test('and for texts', async () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), 3_000)
    deepEqual(await differing(texts.map((text) => text.replaceAll('\0', ''))), [])
  })
})
