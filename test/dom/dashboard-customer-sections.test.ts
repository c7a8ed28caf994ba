import { deepEqual } from 'node:assert/strict'
import { before, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantOf } from '../support/merchant.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

/** More rows than a section shows. */
const MANY = 11
/** Number of changes: each adds two entries to the history, one of the audit log and one event. */
const HALF_OF_HISTORY = 25
const HEADER = 1

describeDashboardInDom('the sections of a customer in the dashboard', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service)
    await ana.api.patch(`/customers/${ana.customer}`, { name: 'Ana Roy' })
    for (let n = 0; n < MANY; n++) {
      const { id } = await ana.api.made('/prices', {
        product: ana.product,
        unit_amount: 1_000 + n,
        recurring: { interval: 'month' },
      })
      await subscribe({ ...ana, price: id })
      await merchantOf(service).sessionToken({ customer_id: ana.customer, customer_email: undefined })
    }
    await service.app.services.db
      .updateTable('stored_card')
      .set({ charge_block: 'N7' })
      .where('id', '=', ana.payment_method)
      .execute()
    await composeDue(service.app.services, { businessId: service.demo.business_id })
  })

  test('DSH-46: each leads to all of them, which the list names as a filter', async () => {
    const { page, client } = await open({ path: `customers/${ana.customer}` })
    for (let n = 0; n < MANY; n++)
      await client.call('POST /contracts', { body: { customer: ana.customer, title: `Terms ${n}`, text: 'I agree.' } })
    for (const [section, path, member] of [
      ['Subscriptions', 'subscriptions', 'customer'],
      ['Payments', 'payments', 'customer'],
      ['Sessions', 'sessions', 'customer_id'],
      ['Contracts', 'contracts', 'customer'],
    ] as const) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/customers/${ana.customer}`)
      const card = page.locator('section, article, .card').filter({ has: page.getByRole('heading', { name: section }) })
      await card.getByRole('link', { name: 'Show all' }).last().click()
      await page.waitForURL(`**/${path}?${member}=${ana.customer}`)
      await page.getByRole('button', { name: 'Remove filter Customer' }).waitFor()
      await page.getByText(/^1[1-9] entries$/).waitFor()
      const field = page.getByRole('combobox', { name: 'Customer' })
      await until('the filter names the customer', async () => (await field.inputValue()).startsWith('Ana Roy'))
    }
  })

  test('DSH-47: letters lead to what they are about; the history is in words, and a blocked card says why', async () => {
    const { page } = await open({ path: `customers/${ana.customer}` })
    await page.getByText(/The issuer declined this card: .+ \(N7\)\. It cannot be charged again\./).waitFor()
    await page.getByRole('cell', { name: 'Customer changed' }).waitFor()
    await page.getByRole('cell', { name: 'Card saved' }).first().waitFor()
    await page.getByRole('link', { name: 'Show all' }).last().click()
    await page.getByRole('heading', { level: 1, name: 'Letters' }).waitFor()
    await page.getByText('22 entries').waitFor()
    await page.getByRole('link', { name: 'Subscription', exact: true }).first().click()
    await page.waitForURL('**/subscriptions/*')
    await page.getByRole('link', { name: 'Payment', exact: true }).first().click()
    await page.waitForURL('**/payments/*')
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  })

  test('DSH-46: the history has the newest 50, and then all', async () => {
    const { page, client } = await open({ path: `customers/${ana.customer}` })
    for (let n = 0; n < HALF_OF_HISTORY; n++) {
      const { version } = (await client.call(`GET /customers/${ana.customer}`)).body
      const body = { version, phone: `+151455500${10 + n}` }
      deepEqual((await client.call(`PATCH /customers/${ana.customer}`, { body })).status, 200)
    }
    await page.reload()
    const history = page.getByRole('group', { name: 'History' }).getByRole('row')
    const link = page.getByRole('link', { name: 'Edit a customer' }).first()
    await link.waitFor()
    deepEqual(await history.count(), HEADER + 2 * HALF_OF_HISTORY)
    await page.getByRole('button', { name: 'Show all' }).click()
    const isLonger = async () => (await history.count()) > HEADER + 2 * HALF_OF_HISTORY
    await until('what came before is shown too', isLonger)
    await link.click()
    await page.waitForURL('**/audit/*')
  })

  test('DSH-47: a timeline leads to the audit log, and that to the payment and to the product', async () => {
    const { page, client } = await open({ path: 'audit?action=price' })
    const prices = (await client.call(`GET /prices`)).body.data
    const { id: price, version } = prices.find(({ product }: { product: string }) => product === ana.product)
    deepEqual((await client.call(`PATCH /prices/${price}`, { body: { version, nickname: 'Gold' } })).status, 200)
    await page.reload()
    await page.getByRole('link', { name: price }).click()
    await page.waitForURL(`**/products/${ana.product}`)
    const [payment] = (await client.call('GET /payments', { query: { customer: ana.customer } })).body.data
    const refund = { body: { reason: 'requested', amount: 100 }, headers: { 'idempotency-key': newId() } }
    deepEqual((await client.call(`POST /payments/${payment.id}/refunds`, refund)).status, 201)
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments/${payment.id}`)
    const person = page.getByRole('link', { name: client.email })
    await person.waitFor()
    await person.click()
    await page.waitForURL('**/audit/*')
    await page.getByRole('link', { name: payment.id }).click()
    await page.waitForURL(`**/payments/${payment.id}`)
  })

  test('DSH-47: an event in the list leads to its object', async () => {
    const { page } = await open({ path: 'events' })
    const row = page.getByRole('row', { name: /subscription\.created/ }).first()
    await row.getByRole('link').nth(1).click()
    await page.waitForURL('**/subscriptions/*')
  })
})
