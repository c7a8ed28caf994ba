import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

// REF-21: the process is killed at each named place of a settlement.

/** Whether the batch is settled once the service has started again and all is resolved. */
const ENDS: [place: FaultPlace, isSettled: boolean][] = [
  ['before:intent_commit', false],
  ['after:intent_commit', false],
  ['after:gateway_result', true],
  ['after:result_commit', true],
]

describe('a process is killed in the middle of a settlement', () => {
  let service: KillableService
  before(async () => {
    service = await openKillableService()
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [place, isSettled] of ENDS) {
    test(`${place}: the batch is ${isSettled ? 'settled once' : 'open, and is settled by the next call'}`, async () => {
      await using book = moneyRows(service.databaseUrl)
      await payerOf(service).pay(await merchantOf(service).sessionToken())
      const open = await latestBatch(book)
      const settledBefore = await countSettlements(service)
      await service.dieAt(place)
      await rejects(settle(service))
      equal(await service.ended(), null)

      await service.start()

      const statuses = () => statusesFrom(book, open)
      await until('it is resolved', async () => !(await statuses()).includes('settling'), 120_000)
      deepEqual(await statuses(), isSettled ? ['settled', 'open'] : ['open'])
      const countSettled = async () => (await countSettlements(service)) - settledBefore
      equal(await countSettled(), isSettled ? 1 : 0)
      if (!isSettled) equal((await settle(service)).status, 200)
      equal(await countSettled(), 1)
      const events = await book.query<{ type: string }>("select type from event where type = 'batch.settled'")
      equal(events.length, settledBefore + 1)
      await assertSoundBooks(service)
    })
  }
})

async function latestBatch({ query }: MoneyRows): Promise<number> {
  const sql = "select max(number)::int as number from batch where currency = 'USD'"
  const [row] = await query<{ number: number }>(sql)
  return row?.number ?? 0
}

/** Returns the statuses of the batch with that number and of all later ones. */
async function statusesFrom({ query }: MoneyRows, number: number): Promise<string[]> {
  const sql = "select status from batch where currency = 'USD' and number >= $1 order by number"
  return (await query<{ status: string }>(sql, [number])).map(({ status }) => status)
}

const settle = (service: KillableService) => merchantOf(service).post('/batch/settle', { expected_net_amount: 25.5 })

const countSettlements = async ({ simulator }: KillableService) =>
  (await simulator.rows()).filter(({ op, recorded }) => op === 'settle' && recorded).length
