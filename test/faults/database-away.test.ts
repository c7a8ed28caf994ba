import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, openDatabaseProxy } from '../support/fault-proxy.ts'
import { merchantOf, payerOf, type Response, send } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import type { TestServiceOptions } from '../support/service.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

/** The service's own limit, for tests that it does not wait longer. */
const WAIT_MS = 2_000

describe('the database goes away', { concurrency: 2 }, () => {
  test('FLT-30: connections ended by the server under payments break no guarantee, and the pool recovers', async () => {
    await using service = await openServiceWithClock({ timeScale: 1 })
    await using book = moneyRows(service.databaseUrl)
    const payments = payMany(service, 60)
    for (let round = 0; round < 15; round++) {
      await sleep(40)
      await book.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
    }

    await assertKept(service, await payments)
    equal((await payOnce(service)).body.result.code, 'AA')
  })

  test('FLT-30: connections reset on the way, at any statement, break no guarantee', async () => {
    await using away = await openAway({ timeScale: 1 })
    const payments = payMany(away.service, 60)
    for (let round = 0; round < 20; round++) {
      await sleep(30)
      away.proxy.resetAll()
    }

    await assertKept(away.service, await payments)
    equal((await payOnce(away.service)).body.result.code, 'AA')
  })

  test('FLT-31: an approval whose commit is not acknowledged is read back: the payer receives that it is paid', async () => {
    await using away = await openAway()
    await using book = moneyRows(away.service.databaseUrl)
    const token = await merchantOf(away.service).sessionToken()
    away.proxy.cutAfter('checkout.session.completed')

    const response = await payerOf(away.service).pay(token)

    equal(away.proxy.cuts(), 1)
    equal(response.body.result?.code, 'AA', JSON.stringify(response.body))
    const [payment] = await book.query<{ id: string }>('select id from payment')
    equal(response.body.result.recordID, payment?.id)
    await assertSoundBooks(away.service)
  })

  test('FLT-31: an intent whose commit is not acknowledged is never sent, and the payer tries again', async () => {
    await using away = await openAway()
    const { service, proxy } = away
    const token = await merchantOf(service).sessionToken()
    proxy.cutAfter(`${service.demo.business_id.slice(-6).toUpperCase()}-`)

    const response = await payerOf(service).pay(token)

    equal(proxy.cuts(), 1)
    deepEqual([response.status, response.body.charged], [503, false])
    deepEqual(await service.simulator.rows(), [])
    equal((await payerOf(service).pay(token)).body.result.code, 'AA')
    await assertSoundBooks(service)
  })

  test('FLT-31: the same for a saved-card sale: the approval is returned, the intent is never sent, and its key can be used again', async () => {
    await using away = await openAway()
    const { service, proxy } = away
    const card = await storeCard(service, 'ana@example.com')
    proxy.cutAfter('sale.succeeded')
    const approved = await sellTo(service, card, { amount: 1 }, 'order-1')
    deepEqual([proxy.cuts(), approved.body.ok], [1, true], JSON.stringify(approved.body))
    deepEqual((await sellTo(service, card, { amount: 1 }, 'order-1')).body, approved.body)

    proxy.cutAfter(`${service.demo.business_id.slice(-6).toUpperCase()}-`)
    const unsent = await sellTo(service, card, { amount: 2 }, 'order-2')
    deepEqual([proxy.cuts(), unsent.status, unsent.body.charged], [2, 503, false])
    equal((await service.simulator.rows()).length, 2)
    equal((await sellTo(service, card, { amount: 2 }, 'order-2')).body.ok, true)
    await assertSoundBooks(service)
  })

  test('FLT-32: a server that is killed and restarts loses no payment whose response is awaited', async () => {
    await using away = await openAway({ timeScale: 1 })
    const { service, proxy } = away
    await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })
    const tokens = await Promise.all(Array.from({ length: 10 }, () => merchantOf(service).sessionToken()))
    const payments = tokens.map((token) => payerOf(service).pay(token))
    await until('all are at the gateway', async () => (await service.simulator.rows()).length === 10)

    proxy.restart(1_100)

    for (const { body } of await Promise.all(payments)) equal(body.result?.code, 'AA', JSON.stringify(body))
    await assertSoundBooks(service)
  })

  test('FLT-33: cut off from the database the service reports it, keeps running, and sends nothing to the gateway', async () => {
    await using away = await openAway({ databaseWaitMs: WAIT_MS })
    const { service, proxy } = away
    const tokens = await Promise.all(Array.from({ length: 4 }, () => merchantOf(service).sessionToken()))
    proxy.blackhole()

    const [live, ready, ...payments] = await Promise.all([
      send(`${service.url}/healthz`),
      send(`${service.url}/readyz`),
      ...tokens.map((token) => payerOf(service).pay(token)),
    ])

    deepEqual([live.status, ready.status], [200, 503])
    for (const response of payments) deepEqual([response.status, response.body.charged], [503, false])
    deepEqual(await service.simulator.rows(), [])
    proxy.heal()
    for (const token of tokens) equal((await payerOf(service).pay(token)).body.result.code, 'AA')
    await assertSoundBooks(service)
  })

  test('FLT-34: cut off after the gateway approved, the payer receives no certain outcome, and the sale is voided', async () => {
    await using away = await openAway()
    const { service, proxy } = away
    await service.simulator.script({ latency: { minMs: 400, maxMs: 400 } })
    const token = await merchantOf(service).sessionToken()
    const paying = payerOf(service).pay(token)
    await until('the gateway has recorded it', async () => (await service.simulator.rows()).length === 1)
    proxy.blackhole()

    const response = await paying
    deepEqual([response.status, response.body.code, response.body.charged], [400, 'gateway_timeout', null])
    proxy.heal()
    await service.simulator.resetScript()
    equal((await payerOf(service).pay(token)).body.code, 'payment_in_progress')
    await resolveAll(service)
    equal((await payerOf(service).pay(token)).body.result.code, 'AA')
    await assertSoundBooks(service)
  })

  test('FLT-35: with two slow connections and 200 payers, the rest receive 503 with Retry-After, and nothing is lost', async () => {
    await using away = await openAway({ timeScale: 1, databaseWaitMs: WAIT_MS, config: { databaseConnections: 2 } })
    const { service, proxy } = away
    const tokens: string[] = []
    while (tokens.length < 200) tokens.push(await merchantOf(service).sessionToken())
    proxy.delay(10)

    const responses = await Promise.all(tokens.map((token) => payerOf(service).pay(token)))

    proxy.delay(0)
    const refused = responses.filter(({ status }) => status === 503)
    ok(refused.length > 0, 'nothing was refused: the pool was not exhausted')
    for (const { headers } of refused) equal(headers.get('retry-after'), '2')
    await assertKept(
      service,
      tokens.map((token, index) => [token, responses[index] as Response]),
    )
  })
})

interface Away extends AsyncDisposable {
  service: ServiceWithClock
  proxy: FaultProxy
}

/** Opens a service whose route to the database can be disturbed. */
async function openAway(options: TestServiceOptions = {}): Promise<Away> {
  await using opened = new AsyncDisposableStack()
  const proxy = opened.use(await openDatabaseProxy())
  const service = opened.use(await openServiceWithClock({ ...options, databaseRoute: proxy.route }))
  const all = opened.move()
  return { service, proxy, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function payOnce(service: ServiceWithClock): Promise<Response> {
  return payerOf(service).pay(await merchantOf(service).sessionToken())
}

/**
 * Makes payments one after another on ten connections, each with the session's token; a session that cannot be created
 * is left out.
 */
async function payMany(service: ServiceWithClock, count: number): Promise<[string, Response][]> {
  const lanes = Array.from({ length: 10 }, async () => {
    const paid: [string, Response][] = []
    for (let payment = 0; payment < count / 10; payment++) {
      const { body } = await merchantOf(service).createSession()
      const token = body.checkout_session?.token
      if (token) paid.push([token, await payerOf(service).pay(token)])
    }
    return paid
  })
  return (await Promise.all(lanes)).flat()
}

/** Asserts that each response is true: paid is paid, "not charged" is not, and all others were called unknown. */
async function assertKept(service: ServiceWithClock, told: [string, Response][]): Promise<void> {
  await resolveAll(service)
  for (const [token, { status, body }] of told) {
    const { body: now } = await payerOf(service).validate(token)
    if (status === 200) equal(now.status, 'COMPLETED')
    else if (body.charged === false) equal(now.status, 'PENDING', JSON.stringify(body))
    else ok(['gateway_timeout', 'payment_in_progress', 'internal_error'].includes(body.code), JSON.stringify(body))
  }
  await assertSoundBooks(service)
}
