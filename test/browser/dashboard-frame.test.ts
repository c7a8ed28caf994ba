import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS } from '../../dashboard/areas.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboard, expectAccessible, expectFits } from '../support/describe-dashboard.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { fillWithPayloads } from '../support/hostile-texts.ts'
import { isFocused, pressOn, tabTo } from '../support/keyboard.ts'
import { lettersOf } from '../support/letters.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { until } from '../support/until.ts'
import { XSS_PAYLOADS } from '../support/xss-payloads.ts'

// DSH-1, DSH-21, DSH-23, DSH-32: features of all pages.

describeDashboard('the frame of the dashboard', ({ service, open, openSignedOut }) => {
  test('every page opens without a violation, shows hostile text as text, fits 320 px (DSH-21, DEF-12, DEF-13)', async () => {
    const { business_id: businessId } = (await secondMerchant(service)).demo
    const { page, client } = await open({ businessId, isSteppedUp: true })
    const ids = await furnish(service, client, businessId)
    await composeDue(service.app.services, { businessId })
    const invitation = (await lettersOf(service)).findLast(({ kind }) => kind === 'invitation')
    const [, welcome = ''] = /\/dashboard(\/welcome#\S+)/.exec(invitation?.body_text ?? '') ?? []
    await fillWithPayloads(service, businessId)
    await composeDue(service.app.services, { businessId })
    const asked: string[] = []
    const misfits: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    page.on('dialog', async (dialog) => {
      asked.push(`pwned: ${dialog.message()}`)
      await dialog.dismiss()
    })
    equal(new Set(XSS_PAYLOADS).size, 50)
    const paths = AREAS.flatMap(({ pages }) => pages).map(({ path }) => `/b/${businessId}/${pathWith(path, ids)}`)
    for (const path of [...paths, '', '/account', welcome]) {
      await page.goto(`${service.formUrl}/dashboard${path}`)
      const heading = page.getByRole('heading', { level: 1 })
      await heading.waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await until(`${path} has been read`, async () => (await page.locator('.mantine-Skeleton-root').count()) === 0)
      deepEqual([await heading.count(), (await heading.textContent()) === 'Page not found'], [1, false], path)
      for (const frame of page.frames())
        equal(
          await frame.evaluate(() => 'pwned' in window || document.querySelector('#x, marquee, xss') !== null),
          false,
          path,
        )
      if (SHOWS_PAYLOADS.some((one) => path.endsWith(`/${one}`)))
        for (const payload of XSS_PAYLOADS)
          ok(textIn(await page.locator('body').innerText()).includes(textIn(payload)), `${path} ${payload}`)
      await expectFits(page).catch((error: Error) => misfits.push(`${path} ${error.message.slice(0, 600)}`))
    }
    deepEqual(misfits, [])
    deepEqual(
      asked.filter((url) => url.includes('pwned')),
      [],
    )
    // Only the scroll positions of pages.
    const kept = await page.evaluate(async () => ({
      storages: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
      readable: [document.cookie, ...(await caches.keys()), ...(await indexedDB.databases())],
    }))
    deepEqual(kept, { storages: ['tsr-scroll-restoration-v1_3'], readable: [''] })
  })

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
    await expectAccessible(page)
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
    await expectAccessible(tab, ['dark'])
    await tab.getByRole('menuitem', { name: 'Demo Shop' }).click()
    await tab.waitForURL(`**/b/${first}/home`)
    await tab.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await expectAccessible(tab, ['light'])
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
    await expectFits(account)
    deepEqual(await account.getByText('Your account').count(), 0)
  })
})

/** Pages on which each of the payloads is a name. */
const SHOWS_PAYLOADS = ['customers', 'products', 'contracts', 'account']

/** Kinds of objects whose pages and calls have different names. */
const KINDS: Record<string, string> = {
  sessions: 'checkout_sessions',
  webhooks: 'webhook_endpoints',
  'test/mailbox': 'mailbox',
}

const pathWith = (path: string, ids: Furnished) =>
  path.replace(/(.+)\/\$id$/, (_whole, kind: string) => `${kind}/${ids[KINDS[kind] ?? kind]}`)

/** Returns the text without spaces and direction marks, which depend on the browser. */
const textIn = (text: string) => text.replace(/[\s\u202a-\u202e]+/g, ' ')
