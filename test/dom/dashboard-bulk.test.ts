import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { DashboardClient } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'

const TEAS = ['Assam', 'Ceylon', 'Darjeeling', 'Earl Grey']

describeDashboardInDom('rows that are chosen together (DSH-37)', ({ open, service }) => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows of this page' })
  async function productsOf(client: DashboardClient): Promise<{ id: string; name: string; version: string }[]> {
    const { data } = (await client.call('GET /products')).body
    if (data.length > 0) return data
    for (const name of TEAS) equal((await client.call('POST /products', { body: { name } })).status, 201)
    return (await client.call('GET /products')).body.data
  }
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

  test('one that somebody else changed meanwhile is named, stays chosen, and is done by the next try', async () => {
    const { page, client } = await openProducts()
    await box(page, 'Assam').check()
    await box(page, 'Ceylon').check()
    const stale = (await productsOf(client)).find(({ name }) => name === 'Ceylon')
    const edit = { version: stale?.version, description: 'From Sri Lanka' }
    equal((await client.call(`PATCH /products/${stale?.id}`, { body: edit })).status, 200)
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('group', { name: '1 row was left as it was' }).waitFor()
    await page.getByText('Ceylon: Someone changed this meanwhile').waitFor()
    await bar(page).getByText('1 row selected').waitFor()
    deepEqual(await archived(client), ['Assam'])
    // The rows have been read again, with their versions.
    await page.getByRole('row', { name: /Assam.*Archived/ }).waitFor()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await bar(page).waitFor({ state: 'hidden' })
    deepEqual(await archived(client), ['Assam', 'Ceylon'])
    equal(await page.getByRole('group', { name: '1 row was left as it was' }).count(), 0)
  })

  test('a lost response: the same call again does nothing twice', async () => {
    const { page, client } = await openProducts()
    const keys: (string | undefined)[] = []
    await page.route('**/products/archive', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await box(page, 'Darjeeling').check()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('No response came. Check your connection.').first().waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await bar(page).waitFor({ state: 'hidden' })
    equal((await archived(client)).includes('Darjeeling'), true)
    deepEqual([keys.length, new Set(keys).size], [2, 1])
    equal(await page.getByRole('group', { name: /left as/ }).count(), 0)
  })

  test('are of one page: another filter chooses none of them', async () => {
    const { page } = await openProducts()
    await all(page).check()
    await page.goto(`${page.url()}?active=true`)
    await page.getByRole('link', { name: 'Earl Grey' }).waitFor()
    equal(await bar(page).count(), 0)
  })

  test('prices of a product are archived together', async () => {
    const { page, client } = await openProducts()
    const [product] = await productsOf(client)
    for (const unit_amount of [1_500, 2_500])
      equal((await client.call('POST /prices', { body: { product: product?.id, unit_amount } })).status, 201)
    await page.goto(`${page.url()}/${product?.id}`)
    await box(page, '$15.00 · One time').check()
    await box(page, '$25.00 · One time').check()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('2 entries are archived').first().waitFor()
    const { prices } = (await client.call(`GET /products/${product?.id}`)).body
    deepEqual(
      prices.map(({ active }: { active: boolean }) => active),
      [false, false],
    )
  })

  test('deliveries of a webhook endpoint are sent again after a question', async () => {
    const { page, client } = await openProducts({ isSteppedUp: true })
    const endpoint = { url: 'https://shop.example/hook', enabled_events: ['product.created'] }
    const { id } = (await client.call('POST /webhook_endpoints', { body: endpoint })).body
    for (const name of ['Matcha', 'Oolong', 'Sencha'])
      equal((await client.call('POST /products', { body: { name } })).status, 201)
    const { db } = service.app.services
    const ofEndpoint = () => db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', id)
    const failed = { status: 'failed' as const, due_at: null, finished_at: new Date() }
    await db.updateTable('webhook_delivery').set(failed).where('endpoint_id', '=', id).execute()
    await page.goto(page.url().replace(/products.*$/, `webhooks/${id}`))
    const boxes = page.getByRole('checkbox', { name: /^Select product\.created, / })
    await boxes.nth(0).check()
    await boxes.nth(2).check()
    await bar(page).getByRole('button', { name: 'Redeliver' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 deliveries go out again to this endpoint').waitFor()
    await dialog.getByRole('button', { name: 'Redeliver' }).click()
    await page.getByText('2 deliveries are on their way.').first().waitFor()
    await bar(page).waitFor({ state: 'hidden' })
    const rows = await ofEndpoint().orderBy('event_id', 'desc').execute()
    deepEqual(
      rows.map(({ status }) => status),
      ['pending', 'failed', 'pending'],
    )
  })

  test('there are no boxes for who may change nothing', async () => {
    const { page } = await openProducts({ role: 'owner' })
    equal((await page.getByRole('checkbox').count()) > 0, true)
    const { page: analysts } = await open({ role: 'analyst', path: 'products' })
    await analysts.getByRole('link', { name: 'Assam' }).waitFor()
    equal(await analysts.getByRole('checkbox').count(), 0)
  })
})
