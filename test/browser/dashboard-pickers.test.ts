import { equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeDashboard, expectAccessible, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
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
    await expectAccessible(page)
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
    await expectAccessible(page, ['light'])
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Tax in percent' }).focus()
    equal(await field.inputValue(), 'Gold plan · Students · $25.00 · Monthly')
  })

  test('the list of subscriptions is filtered by price and by product, and a reload shows both by name', async () => {
    const { page } = await open({ path: 'subscriptions' })
    await filterBy(page, { filter: 'Price', text: 'students', option: 'Gold plan · Students · $25.00 · Monthly' })
    await page.getByText('1 entry').waitFor()
    await filterBy(page, { filter: 'Product', text: 'berth', option: 'Berth' })
    await page.getByText('Nothing matches').waitFor()
    await page.reload()
    await hasValue(page, 'Product', 'Berth')
    await hasValue(page, 'Price', 'Gold plan · Students · $25.00 · Monthly')
    await expectAccessible(page)
    await expectFits(page)
    await takeScreenshots(page, 'subscriptions-by-price')
    await page.getByRole('button', { name: 'Remove filter Product' }).click()
    await page.getByText('1 entry').waitFor()
  })

  test('the calendar is filtered by a product', async () => {
    const { page } = await open({ path: 'calendar?view=list' })
    const field = page.getByRole('combobox', { name: 'Product' })
    await field.fill('gold')
    await onlyOption(page, 'Gold plan')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**product=${ana.product}*`)
    await expectAccessible(page, ['light'])
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

  test('who types and presses Enter before the search has a result chooses nobody else', async () => {
    const { page } = await open({ path: 'subscriptions/new' })
    await ana.api.made('/customers', { name: 'Eva Novak', email: 'eva@shop.example' })
    const search = Promise.withResolvers<void>()
    await page.route('**/customers?*search=roy*', async (route) => {
      await search.promise
      await route.continue()
    })
    const field = page.getByRole('combobox', { name: 'Search by name or e-mail' })
    await field.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^Eva Novak/ }).waitFor()
    await page.keyboard.type('roy')
    await page.getByRole('option', { name: 'Searching…' }).waitFor()
    const lines = await page.getByRole('listbox').getByRole('option').allInnerTexts()
    ok(
      lines.every((line) => /roy|Searching…/i.test(line)),
      lines.join(),
    )
    await expectAccessible(page, ['light'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    ok(!(await field.inputValue()).includes('Eva'))
    search.resolve()
  })

  test('a contract is for any of the subscriptions of a customer, not only for the newest ones', async () => {
    const many = await makeSubscriber(service)
    for (let n = 1; n <= 12; n++) await subscribe(many, { tax_rate: n })
    const { page } = await open({ path: `contracts/new?customer=${many.customer}` })
    await page.getByRole('combobox', { name: 'Subscription' }).click()
    await page.getByRole('option', { name: 'Gold plan, $25.25' }).waitFor()
    equal(await page.getByRole('listbox').getByRole('option').count(), 12)
  })
})

/** Asserts the text of a field as the object has it after a new read. */
async function hasValue(page: Page, name: string, value: string): Promise<void> {
  const field = page.getByRole('combobox', { name })
  await field.waitFor()
  await until(`${name} is ${value}`, async () => (await field.inputValue()) === value)
}

async function onlyOption(page: Page, name: string): Promise<void> {
  const options = page.getByRole('listbox').getByRole('option')
  await until(name, async () => (await options.allInnerTexts()).join() === name)
}

async function filterBy(page: Page, { filter, text, option }: { filter: string; text: string; option: string }) {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: filter, exact: true }).click()
  await page.getByRole('combobox', { name: filter }).fill(text)
  await onlyOption(page, option)
  await page.getByRole('option', { name: option, exact: true }).click()
}
