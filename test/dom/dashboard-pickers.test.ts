import { equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

// Number of prices that are newer than the one to find.
const OTHERS = 105

describeDashboardInDom('DSH-45: fields that find prices and products', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service, { price: { nickname: 'Students' } })
    await subscribe(ana)
    const { id: product } = await ana.api.made('/products', { name: 'Berth' })
    for (let n = 1; n <= OTHERS; n++)
      await ana.api.made('/prices', { product, unit_amount: 10_000 + n, recurring: { interval: 'week' } })
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
