import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS } from '../../dashboard/areas.ts'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboard, expectAccessible, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
import { pressOn, tabTo, typeInto } from '../support/keyboard.ts'
import { enter, newPerson } from '../support/visitor.ts'

// DSH-1, DSH-21, DSH-23, DSH-32: what all pages share.

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
  })

  test('every page opens without a violation of the policy, has one heading, and fits 320 px', async () => {
    const { page, client } = await open()
    const paths = AREAS.flatMap(({ pages }) => pages).map(({ path }) => path)
    for (const path of paths.filter((one) => !one.includes('$'))) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      await expectFits(page)
    }
    ok(client.userId)
  })

  test('a page that does not exist, and a business of others, are not found', async () => {
    const { page } = await open({ path: 'nowhere' })
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${service.formUrl}/dashboard/b/${newId()}/payments`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
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

  test('on a phone the navigation is in a drawer', async () => {
    const { page } = await open({ path: 'products', context: { viewport: { width: 390, height: 800 } } })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Pages' })
    await drawer.getByRole('link', { name: 'Customers' }).waitFor()
    await expectAccessible(page)
    await drawer.getByRole('link', { name: 'Customers' }).click()
    await page.waitForURL('**/customers')
    await drawer.waitFor({ state: 'hidden' })
  })

  test('a session that ended opens sign-in over the page; what was typed stays', async () => {
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
    await expectAccessible(page)
    await typeInto(page, dialog.getByLabel('E-mail'), person.email)
    await typeInto(page, dialog.getByLabel('Password', { exact: true }), person.password)
    await pressOn(page, dialog.getByRole('button', { name: 'Sign in' }).last())
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Saved', { exact: true }).first().waitFor()
    equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another name')
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
    await takeScreenshots(page, 'step-up')
    await proof.getByLabel('Password', { exact: true }).fill(person.password)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The password was changed').first().waitFor()
  })

  test('two tabs show two businesses, each its own', async () => {
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
    await expectAccessible(tab)
    await tab.getByRole('menuitem', { name: 'Demo Shop' }).click()
    await tab.waitForURL(`**/b/${first}/home`)
  })

  test('without a connection it says so', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByText(/You are offline/).waitFor()
    await page.context().setOffline(false)
    await page.getByText(/You are offline/).waitFor({ state: 'detached' })
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
