import { deepEqual, equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CARDS } from '../support/card-numbers.ts'
import { signIn } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeSubscriber, type Subscriber, saveCard } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

const DAY = 86_400

describeDashboardInDom('subscriptions in the dashboard', ({ open, service }) => {
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
    await until('it begins with the tax of the settings', async () => {
      return (await page.getByLabel('Tax in percent').inputValue()) === '13'
    })
    await fill(page, { 'Surcharge in percent': '2.4' })
    await page.getByText('$28.93 is charged now.').waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create and charge $28.93' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gold plan' }).waitFor()
    const [payment] = (await ana.api.get(`/subscriptions/${(await newest()).id}/payments`)).body.data
    deepEqual([payment.amount, payment.tax_amount, payment.surcharge_amount], [2893, 325, 68])
    await page.getByRole('link', { name: '$28.93' }).waitFor()

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
  })

  test('the e-mail of a new customer who exists already: a notice names them, and none is made', async () => {
    await ana.api.patch(`/customers/${ana.customer}`, { name: 'Ana Roy', email: 'ana.roy@example.com' })
    const { page } = await open({ path: 'subscriptions/new' })
    await page.getByRole('radio', { name: 'New customer' }).check()
    await page.getByLabel('E-mail').fill('ANA.ROY@example.com')
    await choose(page, 'Price', /Gold plan/)
    await page.getByText(/A customer with the e-mail ana\.roy@example\.com exists already/i).waitFor()
    await page.getByRole('link', { name: 'Ana Roy' }).click()
    await page.waitForURL(`**/customers/${ana.customer}`)
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
  })

  test('JRN-23: a declined card: four marks over nine days, one of them charged by hand on day 4', async () => {
    const payment_method = await saveCard(service, ana.customer, CARDS.laterDeclined)
    const { id, next_billing_at } = await subscribed({ payment_method })
    await ana.api.post('/test_clock/advance', { to: next_billing_at + 3_600 })
    await advance(4)
    const { page } = await open({ path: 'subscriptions?tab=retrying' })
    await page.getByRole('cell', { name: 'retrying 3 of 4' }).waitFor()
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
    await page.getByRole('button', { name: 'Charge now' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Next automatic attempt').waitFor()
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
  })
})

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
