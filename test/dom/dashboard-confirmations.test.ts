import { equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// DSH-5, DSH-42: the behaviour of dialogs and forms after changed figures, without a connection, and at limits.

const focused = (page: Page) =>
  page.evaluate(() => [document.activeElement?.tagName, document.activeElement?.textContent])

describeDashboardInDom('Confirmations', ({ service, open }) => {
  let ana: StoredCardIds
  before(async () => {
    ana = await storeCard(service, 'ana@example.com')
  })
  const openSale = async (page: Page) => {
    await page.getByRole('radio', { name: /4242/ }).check()
    await page.getByRole('textbox', { name: 'Amount' }).fill('20')
  }

  test('a void whose batch is another meanwhile shows both, and is asked for again (DSH-5)', async () => {
    const { recordID } = (await sellTo(service, ana, { amount: 19 })).body
    const { page } = await open({ path: `payments/${recordID}` })
    let asked = 0
    await page.route(/\/voids\/preview$/, async (route) => {
      if (asked++ > 0) return route.continue()
      const response = await route.fetch()
      const batch = { id: newId(), number: 7, status: 'settling', closed_at: null }
      return route.fulfill({ response, json: { ...(await response.json()), batch, preview_hash: '0'.repeat(64) } })
    })
    await page.getByRole('button', { name: 'Void', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const verb = dialog.getByRole('button', { name: /^Void .*19\.00$/ })
    await until('the first field has the focus', async () => (await focused(page))[0] === 'INPUT')
    await verb.click()
    await dialog.getByText('This has changed meanwhile.', { exact: false }).waitFor()
    match(await dialog.locator('s').innerText(), /7/)
    await verb.click()
    await page.getByText('The payment is voided.').waitFor()
  })

  test('a sale whose figures were others shows both, and charges those that were seen (DSH-5)', async () => {
    const { page, client } = await open({ path: `sales/new?customer=${ana.customerId}` })
    await openSale(page)
    let asked = 0
    await page.route(/\/sales\/preview$/, async (route) => {
      if (asked++ > 0) return route.continue()
      const response = await route.fetch()
      const json = { ...(await response.json()), total_amount: 2100, preview_hash: '0'.repeat(64) }
      return route.fulfill({ response, json })
    })
    await page.getByRole('button', { name: 'Charge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Charge .*21\.00/ }).click()
    await dialog.getByText('This has changed meanwhile.', { exact: false }).waitFor()
    match(await dialog.locator('s').innerText(), /21\.00$/)
    await dialog.getByRole('button', { name: /^Charge .*20\.00/ }).click()
    await page.getByRole('heading', { level: 1, name: /Payment of .*20\.00/ }).waitFor()
    const timeline = page.getByRole('listitem').filter({ hasText: /^Sale .*20\.00/ })
    await timeline.getByRole('link', { name: client.email }).click()
    await page.waitForURL('**/audit/*')
  })

  test('DSH-48: a sale that is being resolved leads to its page, which names who made it', async () => {
    const { customerId } = await storeCard(service, 'eva@example.com')
    const { page, client } = await open({ path: `sales/new?customer=${customerId}` })
    const indeterminate = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'silent_not_recorded' }, indeterminate] })
    await openSale(page)
    await page.getByRole('button', { name: 'Charge' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Charge .*20\.00/ })
      .click()
    const alert = page.getByRole('status').filter({ hasText: 'The outcome is being resolved.' })
    await alert.getByRole('link', { name: 'Show the payment' }).click()
    await page.getByRole('link', { name: client.email }).waitFor()
    await page.getByText('The outcome is not known yet.', { exact: false }).waitFor()
    equal(await page.getByText('No money was taken', { exact: false }).count(), 0, 'DSH-6')
    await service.simulator.resetScript()
  })

  test('DSH-6: whoever closes a sale that got no response is sent to the payments before another one', async () => {
    const { page } = await open({ path: `sales/new?customer=${ana.customerId}` })
    await openSale(page)
    await page.route(/\/sales$/, async (route) => {
      await route.fetch()
      return route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Charge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Charge .*20\.00/ }).click()
    await dialog.getByText('It is not known whether this was done').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'the card may have been charged' })
    await notice.getByRole('link', { name: 'Show the payments' }).click()
    await page.waitForURL(`**/payments?customer=${ana.customerId}`)
    await page
      .getByRole('row', { name: /20\.00.*Succeeded/ })
      .first()
      .waitFor()
  })

  test('a card that cannot be charged says why, and cards that were not read are not called missing', async () => {
    const { customerId, cardId } = await storeCard(service, 'fay@example.com')
    const blocked = { charge_block: 'NC' }
    await service.app.services.db.updateTable('stored_card').set(blocked).where('id', '=', cardId).execute()
    const { page } = await open()
    const json = { error: { code: 'unavailable', message: 'The service is not available for a moment.' } }
    await page.route(/\/customers\/[^/]+$/, (route) => route.fulfill({ status: 503, json }))
    await page.goto(page.url().replace(/home.*/, `sales/new?customer=${customerId}`))
    await page.getByText('The service is not available for a moment.').first().waitFor()
    equal(await page.getByText('This customer has no saved card.').count(), 0)
    await page.unroute(/\/customers\/[^/]+$/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Declined for good: Stolen or pick-up card (NC)').waitFor()
    equal(await page.getByRole('radio', { name: /4242/ }).isDisabled(), true)
  })

  test('without a connection no button that moves money is enabled, and it is again with one', async () => {
    const { page } = await open({ path: `sales/new?customer=${ana.customerId}` })
    await openSale(page)
    const form = page.getByRole('button', { name: 'Charge', exact: true })
    await page.context().setOffline(true)
    await until('the form is off', () => form.isDisabled())
    await page.context().setOffline(false)
    await form.click()
    const verb = page.getByRole('dialog').getByRole('button', { name: /^Charge .*20\.00/ })
    await until('the dialog is on', () => verb.isEnabled())
    await page.context().setOffline(true)
    await until('the dialog is off', () => verb.isDisabled())
    await page.context().setOffline(false)
    await until('the dialog is on again', () => verb.isEnabled())
  })

  test('a limit counts down on the button of a page form and of "Inquire now" (DSH-33)', async () => {
    const headers = { 'retry-after': '20' }
    const json = { error: { code: 'rate_limited', message: 'Too many calls.', request_id: newId() } }
    const { page, client } = await open({ path: '/dashboard/account' })
    await page.route(/\/auth\/account$|\/inquire$/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 429, headers, json }),
    )
    await page.getByLabel('Name').first().fill('Another name')
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor()
    equal(await page.getByRole('button', { name: /^Try again in/ }).isDisabled(), true)
    const unknown = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }, unknown] })
    const { recordID } = (await sellTo(service, ana, { amount: 40 })).body
    await client.call(`POST /payments/${recordID}/refunds`, { body: { amount: 4000, reason: 'requested' } })
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/in-doubt`)
    const inquire = page.getByRole('button', { name: /Inquire now about .*40\.00/ })
    await inquire.click()
    await until('it counts down', async () => /Try again in \d+ s/.test((await inquire.textContent()) ?? ''))
    equal(await inquire.isDisabled(), true)
    await service.simulator.resetScript()
  })

  test('a limit counts down on the button of every form that makes something (DSH-42)', async () => {
    const { page } = await open()
    const headers = { 'retry-after': '20' }
    const json = { error: { code: 'rate_limited', message: 'Too many calls.', request_id: newId() } }
    await page.route(/\/(checkout_sessions|customers|contracts)$/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 429, headers, json }),
    )
    for (const [path, verb, fields] of [
      [`sessions/new?customer=${ana.customerId}`, /^Create the link/, { Amount: '12.50' }],
      ['customers/new', /^Add the customer$/, { Name: 'Ana Roy' }],
      [`contracts/new?customer=${ana.customerId}`, /^Save the draft$/, { Title: 'Terms', Text: 'I agree.' }],
    ] as const) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      for (const [name, text] of Object.entries(fields)) await page.getByRole('textbox', { name }).first().fill(text)
      await page.getByRole('button', { name: verb }).click()
      const waits = page.getByRole('button', { name: /^Try again in \d+ s$/ })
      await waits.waitFor()
      equal(await waits.isDisabled(), true, path)
    }
  })

  test('limits are changed after a dialog that says from what to what (DSH-29)', async () => {
    const { page } = await open({ path: 'settings/limits', isSteppedUp: true })
    const rows = page.getByLabel('Exports of customers above', { exact: false }).first()
    const before = await rows.inputValue()
    await rows.fill('750')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change these settings?' })
    await dialog.getByText(new RegExp(`${before}.* → .*750`)).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await until('it is saved', async () => (await rows.inputValue()) === '750')
  })
})
