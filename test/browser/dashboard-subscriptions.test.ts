import { deepEqual, equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { CARDS } from '../support/card-numbers.ts'
import { signIn } from '../support/dashboard.ts'
import { describeDashboard, expectAccessible, takeScreenshots } from '../support/describe-dashboard.ts'
import { payByCard } from '../support/payment-page-steps.ts'
import { makeSubscriber, type Subscriber, saveCard } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

const DAY = 86_400

await buildBrowserBundles()

describeDashboard(
  'subscriptions in the dashboard',
  ({ open, openSignedOut, service }) => {
    let ana: Subscriber
    before(async () => {
      ana = await makeSubscriber(service)
    })
    const advance = async (days: number) =>
      equal((await ana.api.post('/test_clock/advance', { seconds: days * DAY })).status, 200)
    const newest = async () => (await ana.api.get('/subscriptions?limit=1')).body.data[0]
    const subscribed = (more: object = {}) => {
      const { customer, payment_method, price } = ana
      return ana.api.made('/subscriptions', { customer, payment_method, price, ...more })
    }

    test('JRN-20: with a stored card the preview is what is charged, to the cent; a debit card pays no surcharge', async () => {
      const owner = await signIn(service)
      const { version } = (await owner.call('GET /settings')).body
      equal((await owner.call('PATCH /settings', { body: { version, default_tax_rate: 13 } })).status, 200)
      const { page, client } = await open({ path: `subscriptions/new?customer=${ana.customer}` })
      await choose(page, 'Price', /Gold plan/)
      equal(await page.getByLabel('Tax in percent').inputValue(), '13', 'the tax that new subscriptions begin with')
      await fill(page, { 'Surcharge in percent': '2.4' })
      await page.getByText('$28.93 is charged now.').waitFor()
      await takeScreenshots(page, 'subscription-new')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expectAccessible(page, ['light'])
      await dialog.getByRole('button', { name: 'Create and charge $28.93' }).click()
      await page.getByRole('heading', { level: 1, name: 'Gold plan' }).waitFor()
      const [payment] = (await ana.api.get(`/subscriptions/${(await newest()).id}/payments`)).body.data
      deepEqual([payment.amount, payment.tax_amount, payment.surcharge_amount], [2893, 325, 68])
      await page.getByRole('link', { name: '$28.93' }).waitFor()
      await expectAccessible(page, ['dark'])
      await takeScreenshots(page, 'subscription-active')

      await saveCard(service, ana.customer, CARDS.debit)
      const again = (await open({ as: client, path: `subscriptions/new?customer=${ana.customer}` })).page
      await choose(again, 'Price', /Gold plan/)
      await fill(again, { 'Tax in percent': '', 'Surcharge in percent': '2.4' })
      await again.getByRole('radio', { name: /ending 5556/ }).check()
      await again.getByText('No surcharge: this is not a credit card.').waitFor()
      await again.getByText('$25.00 is charged now.').waitFor()
      await again.getByRole('button', { name: 'Create', exact: true }).click()
      await again.getByRole('dialog').getByRole('button', { name: 'Create and charge $25.00' }).click()
      await again.getByRole('heading', { level: 1, name: 'Gold plan' }).waitFor()
      const [debit] = (await ana.api.get(`/subscriptions/${(await newest()).id}/payments`)).body.data
      deepEqual([debit.amount, debit.tax_amount, debit.surcharge_amount], [2500, 0, 0])
      await again.getByRole('link', { name: '$25.00' }).waitFor()
      await expectAccessible(again, ['light'])
    })

    test('the e-mail of a new customer who exists already: a notice names them, and none is made', async () => {
      await ana.api.patch(`/customers/${ana.customer}`, { name: 'Ana Roy', email: 'ana.roy@example.com' })
      const { page } = await open({ path: 'subscriptions/new' })
      await page.getByRole('radio', { name: 'New customer' }).check()
      await page.getByLabel('E-mail').fill('ANA.ROY@example.com')
      await choose(page, 'Price', /Gold plan/)
      await page.getByText(/A customer with the e-mail ana\.roy@example\.com exists already/i).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Ana Roy' }).click()
      await page.waitForURL(`**/customers/${ana.customer}`)
    })

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
      await expectAccessible(page, ['dark'])
      const payer = await openSignedOut((await newest()).checkout_url.replace(service.formUrl, ''))
      await payByCard(payer, { postal: '10001' })
      await until('the customer has paid', async () => (await newest()).status === 'active')
      await page.reload()
      await page.getByText('ACTIVE', { exact: true }).waitFor()
      match(await page.getByRole('main').innerText(), /Bi-Weekly/)
      await expectAccessible(page, ['light'])
    })

    test('JRN-22: a plan of three bills, to completed by the test clock', async () => {
      const { id } = await subscribed({ installments: 3 })
      const { page } = await open({ path: `subscriptions/${id}` })
      await page.getByText('1 / 3').waitFor()
      await advance(32)
      await advance(32)
      await page.reload()
      await page.getByText('completed', { exact: true }).waitFor()
      await page.getByText('3 / 3').waitFor()
      equal(await page.getByRole('cell', { name: 'FULFILLED' }).count(), 3)
      equal(await page.getByRole('button', { name: 'Pause' }).count(), 0)
      await expectAccessible(page, ['light'])
    })

    test('JRN-23: a declined card: four marks over nine days, one of them charged by hand on day 4', async () => {
      const payment_method = await saveCard(service, ana.customer, CARDS.laterDeclined)
      const { id, next_billing_at } = await subscribed({ payment_method })
      await ana.api.post('/test_clock/advance', { to: next_billing_at + 3_600 })
      await advance(4)
      const { page } = await open({ path: 'subscriptions?tab=retrying' })
      await page.getByRole('cell', { name: 'retrying 3 of 4' }).waitFor()
      await takeScreenshots(page, 'subscriptions')
      await expectAccessible(page, ['dark'])
      await page
        .getByRole('row', { name: /retrying/ })
        .getByRole('link')
        .click()
      const marks = page.getByRole('listitem').filter({ hasText: /^Attempt \d/ })
      await marks.first().waitFor()
      deepEqual(await statesOf(marks), [
        'Declined by the issuer (ND)',
        'Declined by the issuer (ND)',
        'Planned',
        'Planned',
      ])
      await takeScreenshots(page, 'subscription-retrying')
      await page.getByRole('button', { name: 'Charge now' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Next automatic attempt').waitFor()
      await expectAccessible(page, ['dark'])
      await dialog.getByRole('button', { name: 'Charge $25.00' }).click()
      await page.getByText('Declined: Declined by the issuer (ND)').first().waitFor()
      await marks.filter({ hasText: 'by hand' }).waitFor()
      deepEqual((await statesOf(marks)).slice(0, 3), [
        'Declined by the issuer (ND)',
        'Declined by the issuer (ND)',
        'Declined by the issuer (ND)',
      ])
      equal((await ana.api.get(`/subscriptions/${id}`)).body.retry_count, 3)
      await advance(6)
      await page.reload()
      await marks.filter({ hasText: 'Declined' }).nth(3).waitFor()
      deepEqual(await statesOf(marks), Array(4).fill('Declined by the issuer (ND)'))
      equal(await page.getByRole('button', { name: 'Charge now' }).count(), 0)
      await expectAccessible(page, ['light'])
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

async function statesOf(marks: ReturnType<Page['getByRole']>): Promise<(string | undefined)[]> {
  const texts = await marks.allInnerTexts()
  return texts.map((text) => /Declined by the issuer \(\w+\)|Planned|Paid/.exec(text)?.[0])
}
