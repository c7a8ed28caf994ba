import { equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

// Number of prices that are newer than the one to find.
const OTHERS = 105

describeDashboard('DSH-45: fields that find prices and products', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service, { price: { nickname: 'Students' } })
    await subscribe(ana)
    const { id: product } = await ana.api.made('/products', { name: 'Berth' })
    for (let n = 1; n <= OTHERS; n++)
      await ana.api.made('/prices', { product, unit_amount: 10_000 + n, recurring: { interval: 'week' } })
  })

  test('a new subscription takes the oldest of many prices, by keyboard alone', async () => {
    const { page } = await open({ path: `subscriptions/new?customer=${ana.customer}` })
    const field = page.getByRole('combobox', { name: 'Price' })
    await field.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Berth · $101.05 · Weekly' }).waitFor()
    await page.getByRole('option', { name: 'Type to find others.' }).waitFor({ state: 'attached' })
    await page.keyboard.type('gold 25')
    await onlyOption(page, 'Gold plan · Students · $25.00 · Monthly')
    await takeScreenshots(page, 'price-picker')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    equal(await field.inputValue(), 'Gold plan · Students · $25.00 · Monthly')
    await page.getByText('$25.00 is charged now.').waitFor()
    // The choice stays when another line is opened and nothing matches.
    await field.fill('zebra')
    await page.getByText('Nothing matches').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Tax in percent' }).focus()
    equal(await field.inputValue(), 'Gold plan · Students · $25.00 · Monthly')
  })

  test('accents and the order of words do not matter, also where the browser filters (DSH-175)', async () => {
    await ana.api.made('/customers', { name: 'Zoë O\u2019Brïen', email: 'zoe@shop.example' })
    const { page } = await open({ path: 'subscriptions/new' })
    await page.getByRole('combobox', { name: 'Search by name or e-mail' }).fill("o'brien ZOE")
    await onlyOption(page, 'Zoë O\u2019Brïen (zoe@shop.example)')
    await page.goto(page.url().replace('subscriptions/new', 'settings'))
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Paulo são')
    await onlyOption(page, 'America/Sao_Paulo')
  })
})

async function onlyOption(page: Page, name: string): Promise<void> {
  const options = page.getByRole('listbox').getByRole('option')
  await until(name, async () => (await options.allInnerTexts()).join() === name)
}
