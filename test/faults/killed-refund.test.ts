import { equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import type { StoredCardIds } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'
import { until } from '../support/until.ts'

// REF-7, REF-11: the process is killed at each named place of a refund and of a void.

/** Whether it is done once the service has started again, and all is resolved. */
const ENDS: [place: FaultPlace, isDone: boolean][] = [
  ['before:intent_commit', false],
  ['after:intent_commit', true],
  ['after:gateway_result', true],
  ['after:result_commit', true],
]

const MOVES = {
  refund: { path: '/refunds', status: 'refunded' },
  void: { path: '/voids', status: 'voided' },
}

describe('a process is killed in the middle of a refund or a void', { concurrency: true }, () => {
  for (const [kind, { path, status }] of Object.entries(MOVES)) {
    describe(kind, { concurrency: 1 }, () => {
      let service: KillableService
      let stored: StoredCardIds
      before(async () => {
        service = await openKillableService()
        stored = await storedCard(service)
      })
      after(() => service[Symbol.asyncDispose]())

      for (const [place, isDone] of ENDS) {
        test(`${kind}, ${place}: it is ${isDone ? 'made once' : 'not begun'}`, async () => {
          const { id: payment } = await payForSubscription(service, stored)
          const madeBefore = await countMade(service, kind)
          await service.dieAt(place)
          await rejects(merchantApiOf(service).post(path, { payment }))
          equal(await service.ended(), null)

          await service.start()

          await using book = moneyRows(service.databaseUrl)
          await until('every outcome is final', async () => (await book.countOpen()) === 0)
          const [row] = await book.query<{ status: string }>('select status from payment where id = $1', [payment])
          equal(row?.status, isDone ? status : 'succeeded')
          equal((await countMade(service, kind)) - madeBefore, isDone ? 1 : 0)
          await assertSoundBooks(service)
        })
      }
    })
  }
})

const countMade = async ({ simulator }: KillableService, kind: string) =>
  (await simulator.rows()).filter(({ op, recorded }) => op === kind && recorded).length

async function storedCard(service: KillableService): Promise<StoredCardIds> {
  const token = await merchantOf(service).sessionToken()
  await payerOf(service).pay(token, payBody(undefined, { saveCard: true }))
  await using book = moneyRows(service.databaseUrl)
  const query = 'select id as "cardId", customer_id as "customerId" from stored_card'
  const [stored] = await book.query<StoredCardIds>(query)
  if (!stored) throw new Error('The card was not stored')
  return stored
}
