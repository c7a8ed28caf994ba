import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { isFocused, pressOn, tabTo } from '../support/keyboard.ts'
import { until } from '../support/until.ts'

// DSH-1, DSH-21, DSH-23, DSH-32: features of all pages.

describeDashboard('the frame of the dashboard', ({ service, open, openSignedOut }) => {
  test('after navigation the heading has the focus; the skip link leads past the navigation', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content')
    await page.keyboard.press('Enter')
    equal(await page.evaluate(() => document.activeElement?.id), 'content')
    await page.reload()
    await pressOn(page, page.getByRole('link', { name: 'Customers' }))
    await page.waitForURL('**/customers')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    await page.waitForFunction(() => document.getElementById('announce-polite')?.textContent !== '')
  })

  test('on a phone the navigation is in a drawer, which gives the focus back', async () => {
    const { page } = await open({ path: 'products', context: { viewport: { width: 390, height: 800 } } })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Pages' })
    await drawer.getByRole('link', { name: 'Customers' }).waitFor()
    await page.keyboard.press('Escape')
    await until('the button has the focus', () => isFocused(page.getByRole('button', { name: 'Open the menu' })))
    await page.keyboard.press('Enter')
    await drawer.getByRole('link', { name: 'Customers' }).click()
    await page.waitForURL('**/customers')
    await drawer.waitFor({ state: 'hidden' })
  })

  test('JRN-6: two tabs show two businesses, each its own', async () => {
    const { db } = service.app.services
    const { client, page } = await open({ path: 'home' })
    const { business_id: first } = service.demo
    const second = newId()
    const { created_at, ...row } = await db
      .selectFrom('business')
      .selectAll()
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('business')
      .values({ ...row, id: second, name: 'Second Shop', created_at } as never)
      .execute()
    await db
      .insertInto('business_member')
      .values({ business_id: second, user_id: client.userId, role: 'analyst', created_at: new Date() })
      .execute()
    await page.reload()
    const tab = await page.context().newPage()
    await tab.goto(`${service.formUrl}/dashboard/b/${second}/products`)
    await tab.getByRole('button', { name: 'Business: Second Shop' }).waitFor()
    await page.getByRole('button', { name: /^Business: Demo Shop/ }).waitFor()
    equal(await tab.getByRole('link', { name: 'API keys' }).count(), 0)
    equal(await page.getByRole('link', { name: 'API keys' }).count(), 1)
    await tab.getByRole('button', { name: 'Business: Second Shop' }).click()
    await tab.getByRole('menuitem', { name: 'Demo Shop' }).click()
    await tab.waitForURL(`**/b/${first}/home`)
    await tab.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  test('speaks French and Spanish, by the browser or by choice', async () => {
    const page = await openSignedOut('/dashboard/sign-in', { locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
    equal(await page.evaluate(() => document.documentElement.lang), 'fr-CA')
    const { page: account } = await open({ path: '/dashboard/account' })
    await account.getByRole('combobox', { name: 'Language' }).click()
    await account.getByRole('option', { name: 'Español' }).click()
    await account.getByRole('button', { name: 'Save' }).click()
    await account.getByRole('heading', { level: 1, name: 'Su cuenta' }).waitFor()
    await tabTo(account, account.getByRole('button', { name: /^Cuenta de/ }))
    deepEqual(await account.getByText('Your account').count(), 0)
  })
})
