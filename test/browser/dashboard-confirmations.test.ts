import { deepEqual } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { type StoredCardIds, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// DSH-5, DSH-42: the behaviour of dialogs and forms after changed figures, without a connection, and at limits.

const focused = (page: Page) =>
  page.evaluate(() => [document.activeElement?.tagName, document.activeElement?.textContent])

/** Returns the background of the dialog, or a colour of the pages. */
const backgroundOf = (page: Page, name?: string) =>
  page.evaluate((variable) => {
    const dialog = document.querySelector<HTMLElement>('[role=dialog]')
    if (!dialog) return null
    if (variable) dialog.style.backgroundColor = `var(${variable})`
    return getComputedStyle(dialog).backgroundColor
  }, name)

describeDashboard('Confirmations', ({ service, open }) => {
  let ana: StoredCardIds
  before(async () => {
    ana = await storeCard(service, 'ana@example.com')
  })
  test('a saved card is charged, and a role without the right sees no buttons', async () => {
    const { page } = await open({ role: 'support', path: `sales/new?customer=${ana.customerId}` })
    await page.getByRole('radio', { name: /4242/ }).check()
    await page.getByRole('textbox', { name: 'Amount' }).fill('20')
    await page.getByRole('button', { name: 'Charge' }).click()
    await page.getByRole('button', { name: /^Charge .*20\.00 to Visa •••• 4242$/ }).waitFor()
    await takeScreenshots(page, 'new-sale')
    await page.emulateMedia({ colorScheme: 'dark' })
    deepEqual(await backgroundOf(page), await backgroundOf(page, '--panel'), 'a dialog has the colour of a panel')
    await page.getByRole('button', { name: /^Charge .*20\.00 to Visa •••• 4242$/ }).click()
    await page.getByRole('heading', { level: 1, name: /Payment of .*20\.00/ }).waitFor()
    const address = page.url().split('/dashboard/')[1] ?? ''
    const analyst = await open({ role: 'analyst', path: `/dashboard/${address}` })
    await analyst.page.getByRole('heading', { level: 1, name: /Payment of .*20\.00/ }).waitFor()
    deepEqual(
      [
        await analyst.page.getByRole('button', { name: 'Refund', exact: true }).count(),
        await analyst.page.getByRole('button', { name: 'Void', exact: true }).count(),
      ],
      [0, 0],
    )
  })

  test('a dialog gives the focus to its first field, and without one to its heading', async () => {
    const { page, client } = await open({ path: '/dashboard/account' })
    const { db, clock } = service.app.services
    const now = clock.now()
    const times = { created_at: now, updated_at: now, last_seen_at: now, expires_at: new Date(now.getTime() + 600_000) }
    const session = { id: newId(), user_id: client.userId, token: newId(), proof: 'second_factor' as const, ...times }
    await db.insertInto('auth_session').values(session).execute()
    await page.reload()
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('dialog').waitFor()
    await until('the heading', async () => (await focused(page))[0] === 'H2')
    deepEqual(await focused(page), ['H2', 'End all others'])
  })
})
