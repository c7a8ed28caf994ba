import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { CARDS } from '../support/card-numbers.ts'
import { createTestDatabase } from '../support/database.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { openService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { startTransactionPooler } from '../support/transaction-pooler.ts'
import { until } from '../support/until.ts'

test('OPS-12: payment, saved-card sale and recovery work through a pooler of three connections', async () => {
  await using database = await createTestDatabase()
  await using pooler = await startTransactionPooler({ serverUrl: database.directUrl, connectionsMax: 3 })
  await using service = await openService({ databaseRoute: pooler.route })
  await using book = moneyRows(service.databaseUrl)
  await service.app.startWorker()

  const card = await storeCard(service, 'ana@example.com')
  equal((await sellTo(service, card)).body.code, 'AA')
  const unconfirmed = await payerOf(service).pay(
    await merchantOf(service).sessionToken(),
    payBody(CARDS.silentRecorded),
  )
  equal(unconfirmed.body.code, 'gateway_timeout')
  await until('the worker has resolved it', async () => (await book.countOpen()) === 0)

  const states = (await book.operations()).map(({ kind, state }) => `${kind} ${state}`)
  deepEqual(states.sort(), ['reversal_void APPROVED', 'sale APPROVED', 'sale APPROVED', 'sale REVERSED'])
  await assertSoundBooks(service)
  deepEqual(pooler.violations, [])
})

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
