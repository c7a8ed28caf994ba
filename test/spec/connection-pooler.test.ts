import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { openService } from '../support/service.ts'

describe('DATABASE_PREPARED_STATEMENTS=off', () => {
  for (const [preparedStatements, keeps] of [
    [false, 'no connection keeps a statement'],
    [true, 'the connection keeps its statements'],
  ] as const) {
    test(`${preparedStatements ? 'not set' : 'set'}: after a payment ${keeps}`, async () => {
      await using service = await openService({ config: { preparedStatements, databaseConnections: 1 } })
      const paid = await payerOf(service).pay(await merchantOf(service).sessionToken())
      equal(paid.body.result?.code, 'AA')
      const { rows } = await sql`select name from pg_prepared_statements`.execute(service.app.services.db)
      equal(rows.length > 0, preparedStatements)
    })
  }
})
