import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

describe('a process is killed in the middle of a payment', { concurrency: 3 }, () => {
  test('FLT-1: killed before the intent is committed, nothing is recorded and the customer submits again', async () => {
    await using service = await openKillableService({ fault: 'before:intent_commit' })
    await using book = moneyRows(service.databaseUrl)
    const token = await payUntilKilled(service)
    deepEqual(await book.operations(), [])
    deepEqual(await service.simulator.rows(), [])

    await service.start()

    equal((await payerOf(service).pay(token)).body.result.code, 'AA')
    await assertSoundBooks(service)
  })

  test('FLT-2: killed before the request is sent, the sale ends as not charged and the customer submits again', async () => {
    await using service = await openKillableService({ fault: 'after:intent_commit' })
    await using book = moneyRows(service.databaseUrl)
    const token = await payUntilKilled(service)
    deepEqual(await service.simulator.rows(), [])

    await service.start()

    equal((await payerOf(service).pay(token)).body.code, 'payment_in_progress')
    await allFinal(service)
    deepEqual(await states(service), ['NOT_CHARGED'])
    equal((await book.session()).attempt_count, 0)
    equal((await payerOf(service).pay(token)).body.result.code, 'AA')
    await assertSoundBooks(service)
  })

  test('FLT-3: killed while the gateway responds, the approval is found and voided', async () => {
    await using service = await openKillableService()
    await service.simulator.script({ latency: { minMs: 500, maxMs: 500 } })
    const token = await merchantOf(service).sessionToken()
    const paying = payerOf(service).pay(token)
    const lost = rejects(paying)
    await until('the gateway has recorded it', async () => (await service.simulator.rows()).length === 1)
    await service.kill()
    await lost
    await service.simulator.resetScript()

    await service.start()

    await assertReversedAndPayable(service, token)
  })

  test('FLT-4: killed after the response arrived, the approval is found and voided', async () => {
    await using service = await openKillableService({ fault: 'after:gateway_result' })
    const token = await payUntilKilled(service)

    await service.start()

    await assertReversedAndPayable(service, token)
  })

  test('FLT-5: killed before the payer gets the response, the session is paid once and shows it', async () => {
    await using service = await openKillableService({ fault: 'after:result_commit' })
    await using book = moneyRows(service.databaseUrl)
    const token = await payUntilKilled(service)

    await service.start()

    equal((await payerOf(service).validate(token)).body.status, 'COMPLETED')
    equal((await payerOf(service).pay(token)).body.code, 'session_completed')
    deepEqual((await book.events()).sort(), ['checkout.session.completed', 'customer.created'])
    await assertSoundBooks(service)
  })

  test('FLT-18: killed between a partial approval and its void, the partial approval is voided and the attempt counts', async () => {
    await using service = await openKillableService({ fault: 'after:result_commit' })
    await using book = moneyRows(service.databaseUrl)
    await payUntilKilled(service, CARDS.partial)
    deepEqual(await states(service), ['REVERSING', 'SENT'])

    await service.start()

    await allFinal(service)
    deepEqual(await states(service), ['REVERSED', 'APPROVED'])
    equal((await book.session()).attempt_count, 1)
    await assertSoundBooks(service)
  })

  test('FLT-18: killed between an approval that the policy refuses and its void, it is voided and the attempt counts', async () => {
    await using service = await openKillableService({ fault: 'after:result_commit' })
    await using book = moneyRows(service.databaseUrl)
    await book.query("update business set cvv_policy = 'decline_mismatch'")
    await payUntilKilled(service, CARDS.approvedCvvMismatch)
    deepEqual(await states(service), ['REVERSING', 'SENT'])

    await service.start()

    await allFinal(service)
    deepEqual(await states(service), ['REVERSED', 'APPROVED'])
    equal((await book.session()).attempt_count, 1)
    await assertSoundBooks(service)
  })

  test('killed again and again while it recovers, it ends the same', async () => {
    await using service = await openKillableService({ fault: 'after:gateway_result' })
    const token = await payUntilKilled(service)
    await service.simulator.script({ latency: { minMs: 400, maxMs: 400 } })

    for (const inquired of [1, 2]) {
      await service.start()
      await until('recovery has taken it', async () => (await epoch(service)) > inquired)
      await service.kill()
    }
    await service.simulator.resetScript()
    await service.start()

    await assertReversedAndPayable(service, token)
  })

  test('FLT-39: on SIGTERM the payments in flight are finished, and the process ends with 0', async () => {
    // In real time: ten concurrent payments take a busy machine longer than a tenth of the gateway's 15 seconds.
    await using service = await openKillableService({ timeScale: 1 })
    await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })
    const tokens = await Promise.all(Array.from({ length: 10 }, () => merchantOf(service).sessionToken()))
    const responses = tokens.map((token) => payerOf(service).pay(token))
    await until('all are at the gateway', async () => (await service.simulator.rows()).length === 10)

    equal(await service.terminate(), 0)

    for (const response of await Promise.all(responses))
      equal(response.body.result?.code, 'AA', JSON.stringify(response.body))
    deepEqual([...new Set(await states(service))], ['APPROVED'])
    await assertSoundBooks(service)
  })
})

async function payUntilKilled(service: KillableService, cardNumber: string = CARDS.visa): Promise<string> {
  const token = await merchantOf(service).sessionToken()
  await rejects(payerOf(service).pay(token, payBody(cardNumber)))
  equal(await service.ended(), null)
  return token
}

async function assertReversedAndPayable(service: KillableService, token: string): Promise<void> {
  await allFinal(service)
  deepEqual(await states(service), ['REVERSED', 'APPROVED'])
  equal((await payerOf(service).pay(token)).body.result.code, 'AA')
  await assertSoundBooks(service)
}

const allFinal = (service: KillableService) =>
  withBook(service, (book) => until('every outcome is final', async () => (await book.countOpen()) === 0))

/** Returns the states in the order in which the operations began. */
const states = (service: KillableService) =>
  withBook(service, async (book) => (await book.operations()).map(({ state }) => state))

const epoch = (service: KillableService) =>
  withBook(service, async (book) => (await book.operations('sale'))[0]?.epoch ?? 0)

async function withBook<Result>(
  { databaseUrl }: KillableService,
  read: (book: ReturnType<typeof moneyRows>) => Promise<Result>,
): Promise<Result> {
  await using book = moneyRows(databaseUrl)
  return await read(book)
}
