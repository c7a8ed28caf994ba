import { match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { payByCard } from '../support/payment-page-steps.ts'
import { makeSubscriber, type Subscriber } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

await buildBrowserBundles()

describeDashboard(
  'subscriptions in the dashboard',
  ({ open, openSignedOut, service }) => {
    let ana: Subscriber
    before(async () => {
      ana = await makeSubscriber(service)
    })
    const newest = async () => (await ana.api.get('/subscriptions?limit=1')).body.data[0]

    test('JRN-21: the customer enters the card: a link and its code, INACTIVE, paid in a second browser, ACTIVE', async () => {
      const { page } = await open({ path: 'subscriptions' })
      await page.getByRole('button', { name: 'New subscription' }).first().click()
      await page.getByRole('radio', { name: 'New customer' }).check()
      await fill(page, { Name: 'Nora Roy', 'E-mail': 'nora@example.com' })
      await page.getByRole('radio', { name: 'Amount and frequency' }).check()
      await fill(page, { Amount: '19.99' })
      await choose(page, 'Frequency', /Bi-Weekly/)
      await page.getByText('Link for the card, to nora@example.com').waitFor()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('INACTIVE (awaiting card)').waitFor()
      await page.getByRole('button', { name: 'Show the link' }).click()
      await page.getByRole('img', { name: 'QR code of Link' }).waitFor()
      await takeScreenshots(page, 'subscription-awaiting-card')
      const payer = await openSignedOut((await newest()).checkout_url.replace(service.formUrl, ''))
      await payByCard(payer, { postal: '10001' })
      await until('the customer has paid', async () => (await newest()).status === 'active')
      await page.reload()
      await page.getByText('ACTIVE', { exact: true }).waitFor()
      match(await page.getByRole('main').innerText(), /Bi-Weekly/)
    })
  },
  { script: readPaymentFormScript() },
)

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByRole('textbox', { name: label }).fill(text)
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).first().click()
}
