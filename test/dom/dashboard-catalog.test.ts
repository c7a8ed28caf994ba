import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'

describeDashboardInDom('products and prices', ({ open, service }) => {
  test('JRN-30: a product gets prices, is archived and restored', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByText('No products yet').waitFor()
    await page.getByRole('button', { name: 'New product' }).first().click()
    await page.getByLabel('Name').fill('Tea of the month')
    await page.getByRole('button', { name: 'Create product' }).click()
    await page.getByRole('heading', { name: 'Tea of the month' }).waitFor()

    await page.getByRole('button', { name: 'New price' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('15')
    await dialog.getByRole('listitem').nth(2).waitFor()
    await dialog.getByRole('button', { name: 'Create price $15.00' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('row', { name: /\$15\.00 Monthly/ }).waitFor()

    await page.getByRole('button', { name: 'Edit $15.00 · Monthly' }).click()
    await dialog.getByText('Amount and frequency of a price never change.').waitFor()
    await dialog.getByLabel('Nickname').fill('Small box')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Small box/ }).waitFor()

    await page.getByRole('button', { name: 'Archive', exact: true }).first().click()
    await page.getByText('This product is archived: it takes no new subscriptions.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('This product is archived: it takes no new subscriptions.').waitFor({ state: 'hidden' })
    const { active } = await service.app.services.db.selectFrom('product').select('active').executeTakeFirstOrThrow()
    equal(active, true)
  })

  test('DSH-4: what somebody else changed meanwhile is shown, and asked for again', async () => {
    const { page, client } = await open({ path: 'products' })
    await page.getByRole('link', { name: 'Tea of the month' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('A box of tea')
    const id = page.url().split('/').at(-1)
    const { body: product } = await client.call(`GET /products/${id}`)
    await client.call(`PATCH /products/${id}`, { body: { version: product.version, name: 'Tea, monthly' } })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Name: now Tea, monthly').waitFor()
    equal(await dialog.getByLabel('Name').inputValue(), 'Tea, monthly')
    equal(await dialog.getByLabel('Description').inputValue(), 'A box of tea')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { name, description } = (await client.call(`GET /products/${id}`)).body
    deepEqual([name, description], ['Tea, monthly', 'A box of tea'])
  })

  test('DSH-30: a call under way about one price does not hold the dialog of another', async () => {
    const { page, client } = await open({ path: 'products' })
    const [product] = (await client.call('GET /products')).body.data
    for (const unit_amount of [3_000, 4_000])
      equal((await client.call('POST /prices', { body: { product: product.id, unit_amount } })).status, 201)
    await page.getByRole('link', { name: product.name }).click()
    const released = Promise.withResolvers<void>()
    await page.route(/\/prices\/[^/]+$/, async (route) => {
      await released.promise
      await route.continue()
    })
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save' })
    await page.getByRole('button', { name: 'Edit $30.00 · One time' }).click()
    await dialog.getByLabel('Nickname').fill('First')
    await page.clock.install()
    await save.click()
    await page.clock.runFor(16_000)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.clock.runFor(1_000)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit $40.00 · One time' }).click()
    await dialog.getByLabel('Nickname').fill('Second')
    equal(await save.isEnabled(), true)
    await page.keyboard.press('Escape')
    await page.clock.runFor(1_000)
    // The same dialog waits for its call.
    await page.getByRole('button', { name: 'Edit $30.00 · One time' }).click()
    await dialog.getByLabel('Nickname').waitFor()
    equal(await dialog.locator('button[type="submit"]').isEnabled(), false)
    released.resolve()
  })

  test('DSH-14: an analyst sees the catalog without its buttons', async () => {
    const { page } = await open({ role: 'analyst', path: 'products' })
    await page.getByRole('link', { name: 'Tea, monthly' }).click()
    await page.getByRole('row', { name: /Small box/ }).waitFor()
    for (const name of ['New price', 'Archive', 'Edit'])
      equal(await page.getByRole('button', { name }).count(), 0, name)
  })
})
