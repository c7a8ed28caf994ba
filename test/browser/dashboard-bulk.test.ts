import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { DashboardClient } from '../support/dashboard.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'

const TEAS = ['Assam', 'Ceylon', 'Darjeeling', 'Earl Grey']

describeDashboard('rows that are chosen together (DSH-37)', ({ open }) => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows of this page' })
  const announced = (page: Page) => page.locator('#announce-polite').textContent()

  async function productsOf(client: DashboardClient): Promise<{ id: string; name: string; version: string }[]> {
    const { data } = (await client.call('GET /products')).body
    if (data.length > 0) return data
    for (const name of TEAS) equal((await client.call('POST /products', { body: { name } })).status, 201)
    return (await client.call('GET /products')).body.data
  }
  /** Returns the items with their current versions. */
  const fresh = async (client: DashboardClient, items: readonly { id: string }[]) =>
    (await productsOf(client))
      .filter(({ id }) => items.some((item) => item.id === id))
      .map(({ id, version }) => ({ id, version }))
  const archived = async (client: DashboardClient) => {
    const { data } = (await client.call('GET /products', { query: { active: 'false' } })).body
    return data.map(({ name }: { name: string }) => name).sort()
  }
  /** Opens the page of the products, with its rows loaded. */
  async function openProducts(options: Parameters<typeof open>[0] = {}) {
    const { page, client } = await open({ path: 'home', ...options })
    await productsOf(client)
    await page.goto(page.url().replace(/home.*$/, 'products'))
    await page.getByRole('link', { name: 'Assam' }).waitFor()
    return { page, client }
  }

  test('by the keyboard: all of a page, less one; archived at once, and undone', async () => {
    const { page, client } = await openProducts()
    equal(await bar(page).count(), 0)
    await all(page).focus()
    await page.keyboard.press('Space')
    await bar(page).getByText('4 rows selected').waitFor()
    equal(await announced(page), '4 rows selected')
    await box(page, 'Ceylon').focus()
    await page.keyboard.press('Space')
    equal(await announced(page), '3 rows selected')
    equal(await all(page).evaluate((input: HTMLInputElement) => input.indeterminate), true)
    equal(new URL(page.url()).pathname.endsWith('/products'), true)
    await takeScreenshots(page, 'bulk-products')
    await bar(page).getByRole('button', { name: 'Archive' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('3 entries are archived. Running subscriptions go on.').first().waitFor()
    await bar(page).waitFor({ state: 'hidden' })
    deepEqual(await archived(client), ['Assam', 'Darjeeling', 'Earl Grey'])
    equal(await page.evaluate(() => document.activeElement?.className), 'table-scroll')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Archived').first().waitFor({ state: 'hidden' })
    deepEqual(await archived(client), [])
  })

  test('archived ones are restored, on a phone', async () => {
    const { page, client } = await openProducts({ context: { viewport: { width: 390, height: 844 } } })
    const items = (await productsOf(client)).filter(({ name }) => name !== 'Earl Grey')
    for (const active of [true, false])
      await client.call('POST /products/archive', { body: { active, items: await fresh(client, items) } })
    const released = Promise.withResolvers<void>()
    await page.route(/\/api\/b\/[^/]+\/products(\?|$)/, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.reload()
    equal(await all(page).isDisabled(), true, 'there are no rows yet')
    released.resolve()
    await all(page).check()
    await bar(page).getByRole('button', { name: 'Archive 1' }).waitFor()
    await bar(page).getByRole('button', { name: 'Restore 3' }).click()
    await page.getByText('3 entries are active again.').first().waitFor()
    deepEqual(await archived(client), [])
    await bar(page).getByText('1 row selected').waitFor()
    await bar(page).getByRole('button', { name: 'Clear the selection' }).click()
    equal(await announced(page), 'No rows selected')
  })
})
