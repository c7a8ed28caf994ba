import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CARDS } from '../support/card-numbers.ts'
import { signIn } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { saleOfSubscription } from '../support/subscription-payment.ts'
import { until } from '../support/until.ts'

// Columns that lists about money show by default, and those that they omit if there is no room (DSH-44).

const WIDE = { viewport: { width: 1600, height: 900 } }
describeDashboardInDom('The columns of the lists about money', ({ service, open }) => {
  let billed: string
  before(async () => {
    const ana = await storeCard(service, 'marie-christine.desrochers@mail.example')
    const { db } = service.app.services
    await db.updateTable('customer').set({ name: 'Marie-Christine Desrochers-Lafontaine' }).execute()
    const token = await merchantOf(service).sessionToken({ customer_email: 'bartholomew@mail.example' })
    await payerOf(service).pay(token, payBody(CARDS.declined))
    await payerOf(service).pay(token, payBody(CARDS.mastercard))
    await merchantOf(service).post('/batch/settle', {})
    await sellTo(service, ana)
    billed = (await saleOfSubscription(service, ana)).id
    await db.updateTable('payment').set({ attempt: 3, trigger: 'retry' }).where('id', '=', billed).execute()
    await merchantOf(service).sessionToken({ customer_email: 'unpaid@example.com' })
    const owner = await signIn(service)
    const refund = (amount: number) =>
      owner.call(`POST /payments/${billed}/refunds`, { body: { amount, reason: 'requested' } })
    equal((await refund(1_000)).body.status, 'succeeded')
    const unknown = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }, unknown] })
    const { body } = await refund(100)
    await until('an inquiry', async () => {
      const { status } = await owner.call(`POST /operations/${body.id}/inquire`)
      return status === 200
    })
    const contract = { customer: ana.customerId, title: 'Terms of the yearly membership', text: 'I agree.' }
    equal((await owner.call('POST /contracts', { body: contract })).status, 201)
  })

  test('payments have their batch, and the attempt of a bill that was tried before', async () => {
    const { page } = await open({ path: 'payments', context: WIDE })
    await rowsOf(page, 5)
    deepEqual(await columnOf(page, 'Batch'), ['In the open batch', 'In the open batch', '1', '–', '1'])
    deepEqual(await columnOf(page, 'What'), [
      'Subscription\nAttempt 3',
      'Sale on a saved card',
      ...['Payment page', 'Payment page', 'Payment page'],
    ])
    await page.goto(page.url().replace('/payments', `/payments/${billed}`))
    const fact = page.getByText('Attempt on the bill').locator('..')
    await fact.waitFor()
    equal(await fact.innerText(), 'Attempt on the bill\n3')
    const inquiries = page.getByRole('region', { name: 'Gateway' }).getByText('Inquiries', { exact: true })
    match(await inquiries.locator('..').innerText(), /^Inquiries\n\d+$/)
  })

  test('sessions have the status of their payment beside their own', async () => {
    const { page } = await open({ path: 'sessions', context: WIDE })
    await rowsOf(page, 3)
    deepEqual(await columnOf(page, 'Payment status'), ['Not paid', 'Paid', 'Paid'])
    deepEqual(await columnOf(page, 'Status'), ['Open', 'Paid', 'Paid'])
  })

  test('open operations have the time of the last inquiry, and how many there were (DSH-6)', async () => {
    const { page } = await open({ path: 'in-doubt', context: WIDE })
    await rowsOf(page, 1)
    const [shown = ''] = await columnOf(page, 'Last inquiry')
    match(shown, /^\w+ \d+, 20\d\d, \d+:\d\d [AP]M\n\d+ inquir(y|ies)$/)
    const [operation] = await columnOf(page, 'Operation')
    equal(operation, 'Refund')
  })

  test('a payment link says that it needs a customer or an e-mail address', async () => {
    const { page } = await open({ path: 'sessions/new' })
    const customer = page.getByRole('combobox', { name: 'Customer' })
    await customer.waitFor()
    const hint = page.locator(`[id="${(await customer.getAttribute('aria-describedby'))?.split(' ')[0]}"]`)
    ok((await hint.innerText()).startsWith('A customer or an e-mail address is needed.'))
  })

  test('a payment of a subscription has the path of the merchant API that returns it', async () => {
    const { page, client } = await open({ path: `payments/${billed}` })
    const { subscription } = (await client.call(`GET /payments/${billed}`)).body
    const path = `/subscriptions/${subscription}/payments/${billed}`
    await page.getByRole('button', { name: 'View as JSON' }).click()
    await page.getByText(`GET /api/v1${path}`, { exact: true }).waitFor()
    equal((await merchantApiOf(service).get(path)).body.id, billed)
  })

  test('what was given back whole is in its open batch too', async () => {
    const { page, client } = await open({ context: WIDE })
    const [{ id }] = (await client.call('GET /payments', { query: { kind: 'sale' } })).body.data
    const { body } = await client.call(`POST /payments/${id}/refunds`, { body: { reason: 'requested' } })
    equal(body.status, 'succeeded')
    await page.goto(page.url().replace(/home.*/, 'payments?status=refunded'))
    await rowsOf(page, 1)
    deepEqual(await columnOf(page, 'Batch'), ['In the open batch'])
  })
})

const rowsOf = (page: Page, count: number) =>
  until(`${count} rows`, async () => (await page.locator('tbody tr td:nth-child(2)').count()) === count)

const headersOf = (page: Page) => page.locator('thead th').allInnerTexts()

/** Returns the cells of a column, from the top. */
async function columnOf(page: Page, header: string): Promise<string[]> {
  const place = (await headersOf(page)).indexOf(header) + 1
  return page.locator(`tbody td:nth-child(${place})`).allInnerTexts()
}
