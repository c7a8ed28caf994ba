import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS } from '../../dashboard/areas.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboard, expectAccessible, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { fillWithPayloads } from '../support/hostile-texts.ts'
import { isFocused, pressOn, tabTo } from '../support/keyboard.ts'
import { lettersOf } from '../support/letters.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { until } from '../support/until.ts'
import { enter, newPerson } from '../support/visitor.ts'
import { XSS_PAYLOADS } from '../support/xss-payloads.ts'

// DSH-1, DSH-21, DSH-23, DSH-32: features of all pages.

describeDashboard('the frame of the dashboard', ({ service, open, openSignedOut }) => {
  test('shows each role the pages that it may see, and says who may see the others', async () => {
    const owner = await open()
    const links = (page: typeof owner.page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await links(owner.page).first().waitFor()
    const all = await links(owner.page).allInnerTexts()
    ok(all.includes('API keys'), all.join())
    const { page } = await open({ role: 'analyst', path: 'keys' })
    await page.getByText('This needs the role Owner, Admin or Developer.').waitFor()
    ok(!(await links(page).allInnerTexts()).includes('API keys'))
    await expectAccessible(page)
    const { page: form } = await open({ role: 'analyst', path: 'subscriptions/new' })
    await form.getByText('This needs the role Owner, Admin, Developer or Support.').waitFor()
    await form.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor()
  })

  test('no page in the navigation of a role makes a call that the role may not make (DSH-14)', async () => {
    const { page, client } = await open({ role: 'analyst', path: 'keys' })
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await links.first().waitFor()
    for (const link of await links.all()) {
      await link.click()
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    }
    const refused = service.app.services.db.selectFrom('audit_entry').select('action').where('outcome', '=', 'refused')
    deepEqual(await refused.where('actor_id', '=', client.userId).execute(), [])
  })

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

  test('a page that does not exist, and a business of others, are not found', async () => {
    const { page } = await open({ path: 'nowhere' })
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${service.formUrl}/dashboard/b/${newId()}/payments`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    for (const path of [`payments/${newId()}`, 'customers/nobody']) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      await page.getByText('It does not exist, or it belongs to another business.').waitFor()
      equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    }
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

  test('the header has the environment, the number of things that need a person, and help', async () => {
    const { page } = await open({ path: 'products' })
    const header = page.getByRole('banner')
    await header.getByText('Staging', { exact: true }).waitFor()
    const reference = `${service.demo.base_url}/docs`
    const help = header.getByRole('link', { name: 'Help: API reference' })
    equal(await help.getAttribute('href'), reference)
    const guide = page.getByRole('link', { name: 'How it works: API reference' })
    equal(await guide.getAttribute('href'), `${reference}#tag/products`)
    const alerts = header.getByRole('link', { name: /needs? you$/ })
    const [count] = /\d+/.exec((await alerts.getAttribute('aria-label')) ?? '') ?? []
    await alerts.click()
    await page.waitForURL('**/home')
    const listed = page.getByRole('region', { name: 'Needs your attention' }).getByRole('listitem')
    await until('the same number is listed', async () => (await listed.count()) === Number(count))
    await expectAccessible(page)
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

  test('JRN-37: a session that ended opens sign-in over the page; what was typed stays', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const as = { ...(await open({ path: 'home' })).client, cookie: browser.cookie }
    const { page } = await open({ as, path: '/dashboard/account' })
    await page.getByLabel('Name', { exact: true }).fill('Another name')
    await service.app.services.db.deleteFrom('auth_session').where('user_id', '=', person.userId).execute()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
    await dialog.waitFor()
    await takeScreenshots(page, 'sign-in-over-page')
    await expectAccessible(page, ['dark'])
    // The person of the session is known, and the password field has the focus.
    equal(await dialog.getByLabel('E-mail').inputValue(), person.email)
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Saved', { exact: true }).first().waitFor()
    equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another name')
    await expectAccessible(page, ['light'])
    const { name } = await service.app.services.db
      .selectFrom('auth_user')
      .select('name')
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow()
    equal(name, 'Another name')
  })

  test('a change that needs a fresh proof asks for it over the page, then goes on', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    await service.app.services.db
      .updateTable('auth_session')
      .set({ stepped_up_at: null, created_at: new Date(Date.now() - 3_600_000), last_seen_at: new Date() })
      .where('user_id', '=', person.userId)
      .execute()
    const as = { ...(await open({ path: 'home' })).client, cookie: browser.cookie }
    const { page } = await open({ as, path: '/dashboard/account' })
    await page.getByRole('button', { name: 'Change the password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the password' })
    await dialog.getByLabel('New password').fill('another sentence of words')
    await dialog.getByRole('button', { name: 'Change the password' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.waitFor()
    await page.getByText('the password of the demo owner is in data/demo.json').waitFor()
    await takeScreenshots(page, 'step-up')
    await proof.getByLabel('Password', { exact: true }).fill(person.password)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The password was changed').first().waitFor()
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

  test('a refused call may be tried again when the service says so (DSH-33)', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const headers = { 'retry-after': '20' }
    const json = { error: { code: 'rate_limited', message: 'Too many calls.', request_id: newId() } }
    await page.route(/\/api\/b\/[^/]+\/products/, (route) => route.fulfill({ status: 429, headers, json }))
    await page.clock.install()
    await page.reload()
    await page.getByText('Too many calls.').first().waitFor()
    const again = page.getByRole('button', { name: /^Try again/ })
    equal(await again.isDisabled(), true)
    await page.getByRole('button', { name: 'New product' }).first().click()
    await page.getByLabel('Name').fill('Tea')
    const create = page.getByRole('dialog').locator('[type=submit]')
    await create.click()
    await page.getByRole('dialog').getByText('Too many calls.').waitFor()
    match((await create.textContent()) ?? '', /^Try again in \d+ s$/)
    deepEqual([await create.isDisabled(), await page.getByLabel('Name').inputValue()], [true, 'Tea'])
    await expectAccessible(page, ['light'])
    await until('the time is over', async () => {
      await page.clock.runFor(1_000)
      return (await create.textContent()) === 'Create product'
    })
    await page.unroute(/\/api\/b\/[^/]+\/products/)
    await create.click()
    await page.getByRole('heading', { level: 1, name: 'Tea' }).waitFor()
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
