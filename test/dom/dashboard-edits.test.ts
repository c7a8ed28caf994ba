import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'

// DSH-4: after a concurrent change, a dialog shows the stored values, keeps the input, and saves it when it is sent a
// second time.

/** Sends the outdated dialog, and then sends it a second time. */
async function saveTwice(page: Page, verb: string, said: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: verb }).click()
  await dialog.getByRole('alert').filter({ hasText: said }).waitFor()
  await dialog.getByRole('button', { name: verb }).click()
  await dialog.waitFor({ state: 'detached' })
}

describeDashboardInDom('edits that somebody else overtook', ({ open, service }) => {
  test('DSH-4: the nickname of a price', async () => {
    const { page, client } = await open({ path: 'products' })
    const product = (await client.call('POST /products', { body: { name: 'Tea' } })).body.id
    const { id, version } = (await client.call('POST /prices', { body: { product, unit_amount: 1_500 } })).body
    await page.goto(page.url().replace(/products$/, `products/${product}`))
    await page.getByRole('button', { name: 'Edit $15.00 · One time' }).click()
    await page.getByRole('dialog').getByLabel('Nickname').fill('Mine')
    equal((await client.call(`PATCH /prices/${id}`, { body: { version, nickname: 'Theirs' } })).status, 200)
    await saveTwice(page, 'Save', 'Nickname: now Theirs')
    await page.getByRole('row', { name: /Mine/ }).waitFor()
  })

  test('DSH-4: a webhook endpoint: what was not touched follows the others', async () => {
    const { page, client } = await open({ path: 'webhooks', isSteppedUp: true })
    const body = { url: 'https://shop.example/hooks', enabled_events: ['*'], description: null, ordered: false }
    const { id, version } = (await client.call('POST /webhook_endpoints', { body })).body
    await page.goto(page.url().replace(/webhooks$/, `webhooks/${id}`))
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Description').fill('My shop')
    const change = { version, ordered: true }
    equal((await client.call(`PATCH /webhook_endpoints/${id}`, { body: change })).status, 200)
    await saveTwice(page, 'Save', 'Wait for the earlier events of the same object: now Yes')
    const { description, ordered } = (await client.call(`GET /webhook_endpoints/${id}`)).body
    deepEqual([description, ordered], ['My shop', true])
  })

  test('DSH-4: an OAuth client', async () => {
    const { page, client } = await open({ path: 'clients', isSteppedUp: true })
    const [before] = (await client.call('GET /oauth_clients')).body.data
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('My name')
    const change = { version: before.version, password_grant: !before.password_grant }
    equal((await client.call(`PATCH /oauth_clients/${before.id}`, { body: change })).status, 200)
    await saveTwice(page, 'Save', `Password grant: now ${before.password_grant ? 'Off' : 'On'}`)
    const [{ name, password_grant }] = (await client.call('GET /oauth_clients')).body.data
    deepEqual([name, password_grant], ['My name', !before.password_grant])
  })

  test('DSH-4: the role of a person', async () => {
    const other = await signIn(service, { role: 'support' })
    const { page, client } = await open({ path: 'team', isSteppedUp: true })
    await page.getByRole('button', { name: `Actions for ${other.email}` }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Analyst' }).click()
    const read = async () =>
      (await client.call('GET /team')).body.data.find(({ id }: { id: string }) => id === other.userId)
    const { version } = await read()
    const change = { version, role: 'developer' }
    equal((await client.call(`PATCH /team/members/${other.userId}`, { body: change })).status, 200)
    await saveTwice(page, 'Change role', 'Role: now Developer')
    equal((await read()).role, 'analyst')
  })

  test('a key that was used since its page was read is revoked by its name, without reading the page again', async () => {
    const { page, client } = await open({ path: 'keys', isSteppedUp: true })
    const body = { name: 'Billing', allowed_ips: ['203.0.113.9'] }
    const { id } = (await client.call('POST /api_keys', { body })).body
    await page.reload()
    await page
      .getByRole('region', { name: /^Billing/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    const { db } = service.app.services
    await db.updateTable('api_key').set({ last_used_at: new Date() }).where('id', '=', id).execute()
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' })
    await revoke.click()
    await page.getByRole('textbox', { name: /Type its name/ }).fill('Billing')
    await revoke.click()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
  })
})
