import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { until } from '../support/until.ts'
import { enter, newPerson } from '../support/visitor.ts'

// DSH-1, DSH-21, DSH-23, DSH-32: features of all pages.

describeDashboardInDom('the frame of the dashboard', ({ service, open }) => {
  test('shows each role the pages that it may see, and says who may see the others', async () => {
    const owner = await open()
    const links = (page: typeof owner.page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await links(owner.page).first().waitFor()
    const all = await links(owner.page).allInnerTexts()
    ok(all.includes('API keys'), all.join())
    const { page } = await open({ role: 'analyst', path: 'keys' })
    await page.getByText('This needs the role Owner, Admin or Developer.').waitFor()
    ok(!(await links(page).allInnerTexts()).includes('API keys'))
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

  test('a page that does not exist, and a business of others, are not found', async () => {
    const { page } = await open({ path: 'nowhere' })
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.goto(`${service.formUrl}/dashboard/b/${newId()}/payments`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    for (const path of [`payments/${newId()}`, 'customers/nobody']) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      await page.getByText('It does not exist, or it belongs to another business.').waitFor()
      equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    }
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
    // The person of the session is known, and the password field has the focus.
    equal(await dialog.getByLabel('E-mail').inputValue(), person.email)
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
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
    await page.getByText('the password of the demo owner is in data/demo.json').waitFor()
    await proof.getByLabel('Password', { exact: true }).fill(person.password)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The password was changed').first().waitFor()
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
    await until('the time is over', async () => {
      await page.clock.runFor(1_000)
      return (await create.textContent()) === 'Create product'
    })
    await page.unroute(/\/api\/b\/[^/]+\/products/)
    await create.click()
    await page.getByRole('heading', { level: 1, name: 'Tea' }).waitFor()
  })
})
