import { equal, ok } from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../server/lib/seeded-random.ts'
import { CARDS } from '../support/card-numbers.ts'
import { bound } from '../support/deep.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payBody, payerOf, type Response } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

const RUN_MS = bound({ quick: 10_000, deep: 120_000 })
const PAYERS = 8
const KILLS_MAX = bound({ quick: 40, deep: 400 })
const USED_CARDS = [CARDS.visa, CARDS.visa, CARDS.visa, CARDS.partial, CARDS.partialVoidLost, CARDS.declined]
/** Faults of the gateway, for one call in five. */
const RATES = {
  silent_recorded: 0.03,
  silent_not_recorded: 0.02,
  reset_recorded: 0.04,
  reset_not_recorded: 0.02,
  half_response_recorded: 0.02,
  http_503_recorded: 0.03,
  garbled_recorded: 0.02,
  declined: 0.04,
}

/** A response that a payer has received. */
interface Received {
  token: string
  response: Response
}

test('payers, a gateway that fails and a service that is killed every few seconds: nothing is lost or doubled', async (t) => {
  const seed = Number(process.env.RIALTO_CHAOS_SEED ?? randomInt(1_000_000))
  t.diagnostic(`seed ${seed}: RIALTO_CHAOS_SEED=${seed} npm test -- test/faults/chaos.test.ts`)
  const random = seededRandom(seed)
  await using service = await openKillableService({ timeScale: 0.05 })
  await service.simulator.script({ faults: { seed, rates: RATES }, latency: { minMs: 5, maxMs: 80 } })

  const endAt = performance.now() + RUN_MS
  const received: Received[] = []
  const paidOnes = () => received.filter(({ response }) => response.body.result?.code === 'AA')
  // A busy machine needs longer until enough of both have happened.
  const isOver = (kills: number) => performance.now() >= endAt && kills > 1 && paidOnes().length > 0
  const running = { isOver: false }
  const payers = Array.from({ length: PAYERS }, () => payWhile(service, running, random, received))
  const kills = await killUntil(service, isOver, random)
  running.isOver = true
  await Promise.all(payers)
  await service.simulator.resetScript()

  t.diagnostic(`${received.length} responses, ${paidOnes().length} paid, ${kills} kills; ${await reached(service)}`)
  await assertSoundBooks(service, 120_000)
  await assertResponsesTrue(service, received)
})

/** Sessions one after another, each paid until it is closed or not payable, sometimes in two tabs at once. */
async function payWhile(
  service: KillableService,
  running: { isOver: boolean },
  random: () => number,
  received: Received[],
): Promise<void> {
  while (!running.isOver) {
    const token = await merchantOf(service)
      .sessionToken()
      .catch(() => null)
    if (token === null) await sleep(200)
    else
      for (let submit = 0; submit < 2; submit++) {
        const card = USED_CARDS[Math.floor(random() * USED_CARDS.length)]
        const tabs = random() < 0.2 ? 2 : 1
        const responses = await Promise.allSettled(
          Array.from({ length: tabs }, () => payerOf(service).pay(token, payBody(card))),
        )
        for (const one of responses) if (one.status === 'fulfilled') received.push({ token, response: one.value })
      }
  }
}

async function killUntil(
  service: KillableService,
  isOver: (kills: number) => boolean,
  random: () => number,
): Promise<number> {
  let kills = 0
  while (!isOver(kills)) {
    ok(kills < KILLS_MAX, 'no payment was approved between the kills')
    await sleep(1_000 + random() * 2_000)
    await service.kill()
    kills += 1
    const [row] = await service.simulator.rows()
    // Once, the batch closes in the middle, so pending voids become refunds.
    if (kills === 2 && row) {
      await service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'approved' }] })
      await service.simulator.settle(row.terminal, row.currency)
    }
    await service.start()
  }
  return kills
}

/** Asserts that each "paid" that a payer received is true, with the same number, and that no code is unexpected. */
async function assertResponsesTrue(service: KillableService, received: Received[]): Promise<void> {
  await using book = moneyRows(service.databaseUrl)
  for (const { token, response } of received) {
    const { body } = response
    if (body.result?.code !== 'AA') continue
    const { body: now } = await merchantOf(service).details(token)
    equal(now.checkout_session.session_status, 'COMPLETED')
    equal(now.transaction.recordID ?? now.transaction.transactionID, body.result.recordID)
  }
  const codes = new Set(received.map(({ response }) => response.body.code ?? response.body.result?.code))
  for (const code of codes) ok(EXPECTED.includes(code), `unexpected code ${code}`)
  equal(await book.countOpen(), 0)
}

const EXPECTED = [
  'AA',
  'AP',
  'ND',
  'payment_in_progress',
  'session_completed',
  'session_failed',
  'gateway_timeout',
  'gateway_unavailable',
  'unavailable',
]

/** Counts each outcome, for the diagnostic. */
async function reached(service: KillableService): Promise<string> {
  await using book = moneyRows(service.databaseUrl)
  const rows = await book.query<{ what: string; count: number }>(
    "select kind || ' ' || state as what, count(*)::int as count from operation group by 1 order by 1",
  )
  return rows.map(({ what, count }) => `${what} ${count}`).join(', ')
}
