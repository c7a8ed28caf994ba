import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
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

describe('a process is killed in the middle of a settlement', { concurrency: 2 }, () => {
  for (const [place, isSettled] of ENDS) {
    test(`${place}: the batch is ${isSettled ? 'settled once' : 'open, and is settled by the next call'}`, async () => {
      await using service = await openKillableService()
      await payerOf(service).pay(await merchantOf(service).sessionToken())
      await service.terminate()
      await service.start({ fault: place })
      await rejects(settle(service))
      equal(await service.ended(), null)

      await service.start()

      await using book = moneyRows(service.databaseUrl)
      const statuses = async () =>
        (await book.query<{ status: string }>("select status from batch where currency = 'USD' order by number")).map(
          ({ status }) => status,
        )
      await until('it is resolved', async () => !(await statuses()).includes('settling'), 120_000)
      deepEqual(await statuses(), isSettled ? ['settled', 'open'] : ['open'])
      equal(await countSettlements(service), isSettled ? 1 : 0)
      if (!isSettled) equal((await settle(service)).status, 200)
      equal(await countSettlements(service), 1)
      const events = await book.query<{ type: string }>("select type from event where type = 'batch.settled'")
      equal(events.length, 1)
      await assertSoundBooks(service)
    })
  }
})

const settle = (service: KillableService) => merchantOf(service).post('/batch/settle', { expected_net_amount: 25.5 })

const countSettlements = async ({ simulator }: KillableService) =>
  (await simulator.rows()).filter(({ op, recorded }) => op === 'settle' && recorded).length
