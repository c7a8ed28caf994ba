import { deepEqual, equal, match } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { changeOrder, type ExampleShop, openExampleShop } from '../support/example-shop.ts'
import { freePort } from '../support/free-ports.ts'
import { payBody, payerOf, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { openService, type TestService } from '../support/service.ts'

// The server of the example shop, from which people copy.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('the server of the example shop', () => {
  let service: TestService
  let shop: ExampleShop

  before(async () => {
    service = await openService()
    shop = await openExampleShop(service)
  })
  after(async () => {
    await shop.close()
    await service.close()
  })

  const begin = async (ui_mode = 'hosted') => {
    const { status, body } = await shop.post('/session', { ui_mode })
    equal(status, 200, JSON.stringify(body))
    return body as { id: string; token: string }
  }
  const pay = (token: string, amount = 68) =>
    payerOf(service).pay(token, payBody(undefined, { address: { postalCode: 'H2X 1Y4' } }, { amount }))
  const verify = (session_token: unknown) => shop.post('/verify', { session_token })
  const shipments = () => shop.said().match(/ship it/g)?.length ?? 0
  const newest = async () => (await shop.orders())[0]

  test('an order is remembered before it is paid, with its amount, its currency and its session', async () => {
    const { token } = await begin()
    const order = await newest()
    deepEqual({ ...order, id: '' }, { id: '', amount: 68, currency: 'CAD', status: 'open', receipt: null })
    const { checkout_session } = (await shop.merchant.details(token)).body
    equal(checkout_session.client_reference_id, order?.id)
    equal(checkout_session.customer_email, 'ana@example.com')
    deepEqual((await verify(token)).body, { session_status: 'PENDING', payment_status: 'UNPAID' })
    equal((await newest())?.status, 'open')
  })

  test('it ships once, however often and concurrently it is requested', async () => {
    const before = shipments()
    const { token, id } = await begin()
    equal((await pay(token)).body.ok, true)
    const responses = await Promise.all(Array.from({ length: 10 }, () => verify(token)))
    for (const { body } of [...responses, await verify(token), await verify(id)]) {
      const { payment_status, amount, currency, session_id } = body
      deepEqual([payment_status, amount, currency, session_id], ['PAID', 68, 'CAD', id])
    }
    equal(shipments() - before, 1)
    equal((await newest())?.status, 'shipped')
    await shop.stop()
    await shop.start()
    equal((await verify(token)).body.payment_status, 'PAID')
    equal(shipments(), 0)
  })

  test('a payment of something else, even of the same amount, ships nothing', async () => {
    const token = await shop.merchant.sessionToken({
      success_url: shop.url,
      cancel_url: shop.url,
      amount_total: 68,
      currency: 'CAD',
    })
    equal((await pay(token)).body.ok, true)
    const before = shipments()
    equal((await verify(token)).status, 404)
    for (const junk of ['x'.repeat(64), '../../customers', '', undefined, { $ne: 1 }]) {
      equal((await verify(junk)).status, 404, JSON.stringify(junk))
    }
    equal(shipments(), before)
  })

  for (const [what, change] of [
    ['amount', { amount: 680 }],
    ['currency', { currency: 'USD' }],
  ] as const)
    test(`an order of another ${what} than was paid is not shipped: a person looks at it`, async () => {
      const { token } = await begin()
      const order = await newest()
      await shop.stop()
      await changeOrder(shop, order?.id ?? '', change)
      await shop.start()
      await pay(token)
      equal((await verify(token)).status, 409)
      equal((await verify(token)).status, 409)
      equal((await newest())?.status, 'disputed')
      equal(shipments(), 0)
      equal(shop.said().match(/Order .* costs/g)?.length, 1)
    })

  test('an order of a payer who never came back is shipped all the same, when the shop looks', async () => {
    const { token } = await begin()
    await shop.stop()
    await pay(token)
    await shop.start()
    for (let tries = 0; shipments() === 0 && tries < 100; tries++) await new Promise((wait) => setTimeout(wait, 50))
    equal(shipments(), 1)
    equal((await newest())?.status, 'shipped')
  })

  test('a session that ended without money closes its order', async () => {
    const { token } = await begin()
    equal((await shop.merchant.cancel(token)).status, 200)
    deepEqual((await verify(token)).body, { session_status: 'CANCELLED', payment_status: 'UNPAID' })
    equal((await newest())?.status, 'not_paid')
  })

  test('the second session of a customer is bound to the customer of the first', async () => {
    const { token } = await begin()
    const { checkout_session } = (await shop.merchant.details(token)).body
    match(checkout_session.customer_id, /^[0-9a-f-]{36}$/)
    const { customer } = (await payerOf(service).data(token)).body
    equal(customer.email, 'ana@example.com')
  })

  test('the tea club: without a saved card it leads to the page that takes one', async () => {
    const { body } = await shop.post('/club', {})
    deepEqual([body.membership.status, body.membership.amount], ['pending_payment_method', 1900])
    match(body.membership.checkout_url, /^http/)
    deepEqual((await shop.post('/club', {})).body, body, 'a repeated request finds it')
    equal((await shop.post('/club/leave', {})).body.membership.status, 'canceled')
  })

  test('the tea club: with one, two clicks at once are one subscription, charged once', async () => {
    const { token } = await begin()
    const card = payBody(undefined, { saveCard: true, address: { postalCode: 'H2X 1Y4' } }, { amount: 68 })
    equal((await payerOf(service).pay(token, card)).body.ok, true)
    const sales = async () => (await service.simulator.rows()).filter(({ amount }) => amount === 1900).length
    const [one, other] = await Promise.all([shop.post('/club', {}), shop.post('/club', {})])
    deepEqual([one.body.membership.status, one.body, await sales()], ['active', other.body, 1])
    deepEqual((await shop.post('/club', {})).body, one.body)
    equal(await sales(), 1)
    const { body } = await shop.post('/club/leave', {})
    deepEqual([body.membership.status, body.membership.cancel_at], ['active', one.body.membership.next_billing_at])

    const { post } = merchantApiOf({ url: service.url, demo: shop.merchant.demo })
    const path = `/subscriptions/${body.membership.id}`
    equal((await post(path, { cancel_at_period_end: false })).status, 200)
    equal((await post(`${path}/pause`, { unused_time_behavior: 'preserve_time' })).status, 200)
    equal((await shop.post('/club', {})).body.membership.status, 'paused', 'a paused membership is not a second one')
    equal((await shop.post('/club/leave', {})).body.membership.status, 'canceled', 'and can be left')
  })

  test('its files are for their owner alone, and another site cannot call it', async () => {
    for (const name of ['shop.json', 'shop-orders.json']) {
      equal((await stat(join(shop.folder, name))).mode & 0o777, 0o600, name)
    }
    const foreign = await shop.post('/session', { ui_mode: 'hosted' }, { origin: 'https://evil.example' })
    equal(foreign.status, 403)
    equal((await shop.post('/verify', 'x'.repeat(20_000))).status, 413)
  })
})

describe('a second terminal, in the folder of a running service', () => {
  const DASHBOARD_URL = 'http://localhost:4311'
  let service: TestService
  let folder: string
  let env: NodeJS.ProcessEnv

  before(async () => {
    service = await openService()
    folder = await mkdtemp(join(tmpdir(), 'rialto-second-terminal-'))
    const demo = { ...service.demo, base_url: service.url, dashboard_url: DASHBOARD_URL }
    await writeFile(join(folder, 'demo.json'), JSON.stringify(demo))
    const RIALTO_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
    env = { ...process.env, RIALTO_DATA_DIR: folder, DATABASE_URL: service.databaseUrl, RIALTO_MASTER_KEY }
  })
  after(async () => {
    await service.close()
    await rm(folder, { recursive: true })
  })

  test('npm run shop registers a shop that can pay, and that sells the tea club', async () => {
    const port = await freePort()
    const shop = spawn(process.execPath, ['examples/shop/open.mjs'], {
      cwd: ROOT,
      env: { ...env, SHOP_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(shop.stdout, 'data')
      const post = (path: string) =>
        send(`http://localhost:${port}${path}`, { method: 'POST', body: JSON.stringify({ ui_mode: 'hosted' }) })
      match((await post('/session')).body.checkout_url, /^http/)
      equal((await post('/club')).body.membership?.status, 'pending_payment_method')
    } finally {
      const ended = once(shop, 'exit')
      shop.kill()
      await ended
    }
  })

  test('npm run dashboard -- link prints the address of the service, not the default', async () => {
    const args = ['server/main.ts', 'dashboard', 'link', '--user', service.demo.username]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
    match(stdout, new RegExp(`^${DASHBOARD_URL}/dashboard/set-up#[\\w-]+$`, 'm'))
  })
})
