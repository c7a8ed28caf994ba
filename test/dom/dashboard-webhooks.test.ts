import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { REDELIVERIES_PER_HOUR } from '../../contract/webhook-delivery.ts'
import { transaction } from '../../server/db/transaction.ts'
import { countRedelivered } from '../../server/events/webhooks/redelivery-budget.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { until } from '../support/until.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { oldEvent } from '../support/webhook-rows.ts'

const DEVELOPER = { role: 'developer', isSteppedUp: true } as const

/** Texts by the browser's language: the buttons, and the sentence about a used-up hour. */
const LANGUAGES = {
  'en-US': { open: 'Redeliver what failed', test: 'Send a test', spent: /has had its 10,000 redeliveries/ },
  'fr-CA': { open: /Livrer de nouveau ce qui/, test: /Envoyer un test/, spent: /a reçu ses 10 000 relivraisons/ },
  'es-MX': { open: /Volver a entregar lo fallido/, test: /Enviar una prueba/, spent: /ya recibió sus 10,000 reenvíos/ },
}

describeDashboardInDom('Webhook endpoints in the dashboard', ({ service, open }) => {
  for (const [locale, words] of Object.entries(LANGUAGES))
    test(`EVT-143: what an hour leaves is said before a redelivery and after it, in ${locale}`, async () => {
      const businessId = service.demo.business_id
      const { db, clock } = service.app.services
      const use = (id: string, deliveries: number) =>
        transaction(db, (tx) => countRedelivered(tx, { businessId, endpointIds: [id], at: clock.now(), deliveries }))
      const { id } = await makeEndpoint(service.app.services, { businessId, url: 'https://shop.example/w' })
      for (let index = 0; index < 3; index++) await oldEvent(service, { days: 1 })
      await use(id, REDELIVERIES_PER_HOUR - 1)
      const { page } = await open({ ...DEVELOPER, path: `webhooks/${id}`, context: { locale } })
      await page.getByRole('button', { name: words.open }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/1 (?:of them goes out now|d’entre elles part|de ellas sale)/).waitFor()
      await dialog.locator('button[type="submit"]').click()
      await page
        .getByText(/(?:The rest can follow|Le reste pourra suivre|El resto podrá seguir)/)
        .first()
        .waitFor()
      equal((await db.selectFrom('webhook_delivery').where('endpoint_id', '=', id).selectAll().execute()).length, 1)

      await page.getByRole('button', { name: words.test }).click()
      await page.getByText(words.spent).first().waitFor()
      await page.getByRole('button', { name: words.open }).click()
      await dialog.getByText(words.spent).waitFor()
      equal(await dialog.locator('button[type="submit"]').isDisabled(), true)
      await page.keyboard.press('Escape')

      const row = page.locator('tbody input[type="checkbox"]').first()
      await row.check()
      await page.locator('.selection-bar button').first().click()
      await dialog.locator('button[type="submit"]').click()
      const refusal = dialog.getByRole('group')
      await refusal.getByText(words.spent).waitFor()
      await until('the wait is shown', async () =>
        /\d+ s/.test((await dialog.locator('button[type="submit"]').textContent()) ?? ''),
      )
      match((await refusal.textContent()) ?? '', words.spent)
      await db.updateTable('webhook_endpoint').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    })

  test('EVT-144: user name and password are typed within the URL, shown nowhere, and removed', async () => {
    const { page, client } = await open({ ...DEVELOPER, path: 'webhooks' })
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
    await page.getByLabel('URL').fill('https://shop:pa55-w0rd%21@shop.example/orders')
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.getByRole('checkbox', { name: /stored/i }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'https://shop.example/orders' }).click()
    await page.getByRole('definition').filter({ hasText: 'A user name and a password are sent' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    equal(await page.getByLabel('URL').inputValue(), 'https://shop.example/orders')
    await page.getByRole('checkbox', { name: 'Remove the user name and the password' }).check()
    equal(/pa55-w0rd/.test(await page.content()), false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('definition')
      .filter({ hasText: 'A user name and a password are sent' })
      .waitFor({ state: 'detached' })
    const { data } = (await client.call('GET /webhook_endpoints')).body
    const found = data.find(({ url }: { url: string }) => url === 'https://shop.example/orders')
    equal(found.basic_auth, false)
  })
})
