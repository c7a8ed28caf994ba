import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// CHK-20, SUB-3: a process that is killed while a customer signs up leaves everything or nothing, and charges once.

const MADE = ['customer', 'stored_card', 'subscription', 'bill', 'payment', 'product', 'price']
const LOST = ['before:intent_commit', 'after:intent_commit', 'after:gateway_result'] as const

async function countOf({ query }: MoneyRows, table: string): Promise<number> {
  const [row] = (await query(`select count(*)::int as count from ${table}`)) as { count: number }[]
  return row?.count ?? 0
}

async function payUntilKilled(service: KillableService, token: string, amount: number): Promise<void> {
  await rejects(payerOf(service).pay(token, payBody(undefined, {}, { amount })))
  await service.ended()
}

describe('a process is killed while a customer signs up', { concurrency: 2 }, () => {
  for (const fault of LOST)
    test(`${fault}: nothing of the subscription is left, and the customer pays again`, async () => {
      await using service = await openKillableService({ fault })
      await using book = moneyRows(service.databaseUrl)
      const token = await merchantOf(service).sessionToken(planInput())
      await payUntilKilled(service, token, 25.5)
      for (const table of MADE) equal(await countOf(book, table), 0, table)

      await service.start()

      await assertSoundBooks(service)
      for (const table of MADE) equal(await countOf(book, table), 0, table)
      equal((await payerOf(service).pay(token)).body.ok, true)
      for (const table of MADE) equal(await countOf(book, table), 1, table)
      await assertSoundBooks(service)
    })

  test('after:result_commit: everything is there once, and the session shows it', async () => {
    await using service = await openKillableService({ fault: 'after:result_commit' })
    await using book = moneyRows(service.databaseUrl)
    const token = await merchantOf(service).sessionToken(planInput())
    await payUntilKilled(service, token, 25.5)

    await service.start()

    for (const table of MADE) equal(await countOf(book, table), 1, table)
    equal((await payerOf(service).pay(token)).body.code, 'session_completed')
    await assertSoundBooks(service)
  })

  test('after:gateway_result, on the link of a subscription: it still waits, and the customer pays again', async () => {
    await using service = await openKillableService()
    const api = merchantApiOf(service)
    const made = await waitingSubscription(api)
    await service.dieAt('after:gateway_result')
    const token = await openedLink(made.checkout_url)
    await payUntilKilled(service, token, 25)

    await service.start()

    await assertSoundBooks(service)
    equal((await api.get(`/subscriptions/${made.id}`)).body.status, 'pending_payment_method')
    const paid = await payerOf(service).pay(token, payBody(undefined, {}, { amount: 25 }))
    equal(paid.body.ok, true)
    const { body } = await api.get(`/subscriptions/${made.id}/payments`)
    deepEqual([body.data.length, body.data[0].id], [1, paid.body.result.recordID])
    await assertSoundBooks(service)
  })
})
