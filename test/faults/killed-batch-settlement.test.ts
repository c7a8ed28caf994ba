import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import type { KillableService } from '../support/killable-service.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { sharedKillableService } from '../support/shared-services.ts'
import { until } from '../support/until.ts'

// REF-21: the process is killed at each named place of a settlement.

describe('a process is killed in the middle of a settlement', () => {
  let book: MoneyRows
  after(() => book[Symbol.asyncDispose]())
  const opened = sharedKillableService()
  before(() => {
    book = moneyRows(opened().databaseUrl)
  })

  /** Whether the batch is settled once the service has started again and all is resolved. */
  const ENDS: [place: FaultPlace, isSettled: boolean][] = [
    ['before:intent_commit', false],
    ['after:intent_commit', false],
    ['after:gateway_result', true],
    ['after:result_commit', true],
  ]

  for (const [place, isSettled] of ENDS)
    test(`${place}: the batch is ${isSettled ? 'settled once' : 'open, and is settled by the next call'}`, async () => {
      await until('a sale is approved', sellOnce)
      await until('every outcome is final', async () => (await book.countOpen()) === 0)
      const open = await latestBatch()
      const settle = () => merchantOf(opened()).post('/batch/settle', { expected_net_amount: 25.5 })
      const earlier = await countSettlements(opened())
      await opened().dieAt(place)
      await rejects(settle())
      equal(await opened().ended(), null)

      await opened().start()

      const statuses = () => statusesFrom(open)
      await until('it is resolved', async () => !(await statuses()).includes('settling'), 120_000)
      deepEqual(await statuses(), isSettled ? ['settled', 'open'] : ['open'])
      const settled = async () => (await countSettlements(opened())) - earlier
      equal(await settled(), isSettled ? 1 : 0)
      if (!isSettled) equal((await settle()).status, 200)
      equal(await settled(), 1)
      const events = await book.query("select type from event where type = 'batch.settled'")
      equal(events.length, earlier + 1)
    })

  /** A busy machine may take too long for a sale, which is then voided. */
  async function sellOnce(): Promise<boolean> {
    return (await payerOf(opened()).pay(await merchantOf(opened()).sessionToken())).body.ok === true
  }

  async function latestBatch(): Promise<number> {
    const sql = "select max(number)::int as number from batch where currency = 'USD'"
    const [row] = await book.query<{ number: number }>(sql)
    return row?.number ?? 0
  }

  /** Returns the statuses of the batch with that number and of all later ones. */
  async function statusesFrom(number: number): Promise<string[]> {
    const sql = "select status from batch where currency = 'USD' and number >= $1 order by number"
    return (await book.query<{ status: string }>(sql, [number])).map(({ status }) => status)
  }
})

const countSettlements = async ({ simulator }: KillableService) =>
  (await simulator.rows()).filter(({ op, recorded }) => op === 'settle' && recorded).length
