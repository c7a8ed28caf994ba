import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { REDELIVERIES_PER_HOUR } from '../../contract/webhook-delivery.ts'
import { transaction } from '../../server/db/transaction.ts'
import { countRedelivered } from '../../server/events/webhooks/redelivery-budget.ts'
import type { DashboardClient } from '../support/dashboard.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { type Gallery, galleryOf } from '../support/gallery.ts'
import { account } from '../support/secret-key.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { oldEvent } from '../support/webhook-rows.ts'

// DSH-23: pages and dialogs for developers, in the states in which people see them.

/** What the rooms share: one page of a person. */
interface Given {
  service: TestService
  gallery: Gallery
  client: DashboardClient
}

/** Texts by the browser's language: a button, and the sentence about a used-up hour. */
const LANGUAGES = {
  'en-US': { open: 'Redeliver what failed', spent: /has had its 10,000 redeliveries/ },
  'fr-CA': { open: /Livrer de nouveau ce qui/, spent: /a reçu ses 10 000 relivraisons/ },
  'es-MX': { open: /Volver a entregar lo fallido/, spent: /ya recibió sus 10,000 reenvíos/ },
}

describeDashboard(
  'pages for developers, as they look',
  ({ service, open }) => {
    const pages = () => `${service.formUrl}/dashboard/b/${service.demo.business_id}/`

    test('keys, clients, addresses, refused requests, endpoints, events and deliveries', async () => {
      const { page, client } = await open({ isSteppedUp: true })
      const gallery = galleryOf(page, pages())
      const given = { service, gallery, client }
      await gallery.room('keys', () => keyRoom(given))
      await gallery.room('clients', () => clientRoom(given))
      await gallery.room('endpoints', () => endpointRoom(given))
      await gallery.room('deliveries', () => deliveryRoom(given))
      gallery.isSound()
    })

    for (const [locale, words] of Object.entries(LANGUAGES))
      test(`what an hour has left of redeliveries, in ${locale}`, async () => {
        const businessId = service.demo.business_id
        const { db, clock } = service.app.services
        const { id } = await makeEndpoint(service.app.services, { businessId, url: 'https://shop.example/w' })
        await oldEvent(service, { days: 1 })
        const spent = { businessId, endpointIds: [id], at: clock.now(), deliveries: REDELIVERIES_PER_HOUR }
        await transaction(db, (tx) => countRedelivered(tx, spent))
        const context = { locale, viewport: { width: 320, height: 900 } }
        const { page } = await open({ isSteppedUp: true, path: `webhooks/${id}`, context })
        const gallery = galleryOf(page, pages())
        await gallery.room(locale, async () => {
          await page.getByRole('button', { name: words.open }).click()
          await page.getByRole('dialog').getByText(words.spent).waitFor()
          await gallery.looks(`an hour without redeliveries, in ${locale}`)
        })
        gallery.isSound()
      })
  },
  { timeScale: 1 },
)

async function keyRoom({ service, gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  await go('keys')
  await press('New key')
  await page.getByRole('textbox', { name: 'Name' }).fill('Billing')
  await page.getByRole('button', { name: /Use the address of this computer/ }).click()
  await page.getByRole('checkbox', { name: 'All of these' }).uncheck()
  await dialogLooks('a new key')
  await page.getByRole('checkbox', { name: 'All of these' }).check()
  await confirm('Create the key')
  await page.locator('code.secret').first().waitFor()
  await looks('a key that is shown once')
  const key = await takeSecret(gallery)
  const row = page.getByRole('region', { name: /^Billing/ })
  await row.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('textbox', { name: 'Address of the server' }).fill('192.0.2.1')
  await page.getByRole('radio', { name: 'One hour more' }).check()
  await dialogLooks('a key is rotated')
  await confirm('Rotate the key')
  equal((await account(service, await takeSecret(gallery))).status, 403)
  equal((await account(service, key)).status, 200)
  await sees(/Rotated: works until/)
  await looks('keys')
  await until('the use is recorded', async () =>
    (await client.call('GET /api_keys')).body.data.some((one: { last_used_at: number }) => one.last_used_at),
  )
  await page.reload()
  const old = row.filter({ hasText: 'Rotated: works until' })
  await old.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('textbox', { name: /Type its name/ }).fill('Billing')
  await dialogLooks('a key is revoked')
  await gallery.leave()
  await until('the refusal is written', async () => (await client.call('GET /refusals')).body.data.length > 0)
  await go('requests')
  await page.getByRole('cell', { name: 'GET /api/v1/account' }).first().waitFor()
  await looks('refused requests')
}

/** Closes the dialog with a secret. */
async function takeSecret({ page, confirm }: Gallery): Promise<string> {
  const secret = (await page.locator('code.secret').first().textContent()) ?? ''
  await page.getByRole('checkbox', { name: /stored/i }).check()
  await confirm('Done')
  await page.locator('code.secret').first().waitFor({ state: 'detached' })
  return secret
}

async function clientRoom({ gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  await go('clients')
  const row = page.getByRole('region', { name: /^Demo Shop server/ })
  await row.waitFor()
  await looks('clients')
  await row.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Redirect URL' }).fill('https://new.example/pay')
  await sees(/^Pages of .* can no longer/)
  await dialogLooks('the origin of a client is changed')
  const [{ id, version, password_grant }] = (await client.call('GET /oauth_clients')).body.data
  await client.call(`PATCH /oauth_clients/${id}`, { body: { version, password_grant: !password_grant } })
  await confirm('Save')
  await sees(/Password grant: now/)
  await dialogLooks('a client that somebody else has changed')
  await leave()
  await go('addresses')
  await press('Add an address')
  await page.getByRole('textbox', { name: 'Address' }).fill('198.51.100.4')
  await dialogLooks('an address is added')
  await confirm('Allow the address')
  await page.getByRole('cell', { name: '198.51.100.4' }).first().waitFor()
  await looks('addresses')
  await press('Remove 198.51.100.4')
  await dialogLooks('an address is removed')
  await confirm('Remove the address')
  await sees('198.51.100.4 is removed.')
}

async function endpointRoom({ gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  await go('webhooks')
  await sees('No endpoints yet')
  await looks('no endpoints')
  await press('Add an endpoint')
  await page.getByLabel('URL').fill('https://shop:pa55-w0rd%21@shop.example/orders')
  await dialogLooks('a new endpoint')
  await confirm('Add the endpoint')
  await takeSecret(gallery)
  await page.getByRole('link', { name: 'https://shop.example/orders' }).click()
  await sees('A user name and a password are sent')
  await press('Edit')
  await page.getByRole('checkbox', { name: 'Remove the user name and the password' }).check()
  await dialogLooks('an endpoint with a user name')
  const [{ id, version, ordered }] = (await client.call('GET /webhook_endpoints')).body.data
  await client.call(`PATCH /webhook_endpoints/${id}`, { body: { version, ordered: !ordered } })
  await confirm('Save')
  await sees(/Wait for the earlier events of the same object: now/)
  await dialogLooks('an endpoint that somebody else has changed')
  await leave()
  await client.call(`DELETE /webhook_endpoints/${id}`)
}

async function deliveryRoom({ service, gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  await using receiver = await openReceiver((response) => {
    response.statusCode = 410
    response.end('Closed for <b>repairs</b>')
  })
  const body = { url: receiver.url, enabled_events: ['product.created'] }
  const { id } = (await client.call('POST /webhook_endpoints', { body })).body
  await service.app.startWorker()
  await go(`webhooks/${id}`)
  await press('Send a test')
  await page.getByRole('cell', { name: '410' }).waitFor({ timeout: 20_000 })
  await page.reload()
  await sees('Disabled because it responded 410')
  await looks('an endpoint that is disabled')
  await page.getByRole('link', { name: 'ping' }).click()
  await sees('Closed for <b>repairs</b>')
  await looks('an event whose delivery has failed')
  receiver.respond = (response) => response.end('ok')
  await go(`webhooks/${id}`)
  await press('Enable')
  await press('Redeliver what failed')
  await sees(/deliver(y|ies) will be sent again/)
  await dialogLooks('what has failed is redelivered')
  await confirm('Redeliver')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Delivered').first().waitFor({ timeout: 20_000 })
  await looks('an endpoint whose delivery has worked')
  await page
    .getByRole('checkbox', { name: /^Select ping, / })
    .first()
    .check()
  await press('Redeliver')
  await page
    .getByRole('dialog')
    .getByText(/goes? out again to this endpoint/)
    .waitFor()
  await dialogLooks('chosen deliveries are redelivered')
  await gallery.leave()
  await go('events')
  await page
    .getByRole('cell', { name: /delivered/ })
    .first()
    .waitFor()
  await looks('events')
}
