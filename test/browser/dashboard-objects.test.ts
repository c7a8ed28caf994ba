import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboard, expectAccessible, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// DSH-23, DSH-26, DSH-43, DSH-44: common features of the pages of objects and their lists.

describeDashboard('Pages of objects', ({ service, open, openSignedOut }) => {
  let ana: StoredCardIds
  let payment: string
  before(async () => {
    ana = await storeCard(service, 'ana@example.com')
    payment = (await sellTo(service, ana, { amount: 18 })).body.recordID
  })

  test('a page has the id of its object in the head, and outlines until it is read (DSH-44)', async () => {
    const { page } = await open({ path: `customers/${ana.customerId}` })
    const head = page.locator('.page-head')
    await head.getByText(ana.customerId).waitFor()
    await head.getByRole('button', { name: 'Copy ID' }).waitFor()
    const outlines = page.locator('.object-wait')
    await until('the outlines are gone', async () => !(await outlines.isVisible()))
    const released = Promise.withResolvers<void>()
    await page.route(new RegExp(`/api/b/[^/]+/customers/${ana.customerId}$`), async (route) => {
      await released.promise
      await route.continue()
    })
    await page.reload()
    await until('the outlines are there', () => outlines.isVisible())
    ok(((await outlines.boundingBox())?.height ?? 0) > 400)
    await takeScreenshots(page, 'object-wait')
    released.resolve()
    await until('the outlines are gone again', async () => !(await outlines.isVisible()))
    await expectAccessible(page)
    await expectFits(page)
    await takeScreenshots(page, 'object')
  })

  test('an unknown page is not found, in the frame of whoever is signed in (DSH-43)', async () => {
    const { page } = await open({ path: '/dashboard/account' })
    const response = await page.goto(`${service.formUrl}/dashboard/nonsense`)
    equal(response?.status(), 404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('banner').waitFor()
    await expectAccessible(page)
    await takeScreenshots(page, 'not-found')
    await page.getByRole('link', { name: 'To the start page' }).click()
    await page.waitForURL('**/home')
    const nobody = await openSignedOut('/dashboard/nonsense')
    await nobody.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await expectAccessible(nobody)
    await takeScreenshots(nobody, 'not-found-nobody')
  })

  test('a row opens in another tab by the middle button and by Ctrl, in every cell (DSH-44)', async () => {
    const { page } = await open({ path: 'payments' })
    const row = page.locator('tbody tr').first()
    const cell = row.locator('td').nth(2)
    // Placeholders are shown until the rows are loaded.
    await row.locator('a').first().waitFor()
    for (const options of [{ button: 'middle' }, { modifiers: ['ControlOrMeta'] }] as const) {
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        cell.click({ ...options, position: { x: 4, y: 4 } } as Parameters<typeof cell.click>[0]),
      ])
      await tab.waitForURL(`**/payments/${payment}`)
      await tab.close()
      ok(page.url().endsWith('/payments'))
    }
    await cell.click({ position: { x: 4, y: 4 } })
    await page.waitForURL(`**/payments/${payment}`)
  })

  test('on a phone the first column stays in view while the table scrolls (DSH-44)', async () => {
    const { page } = await open({ path: 'payments', context: { viewport: { width: 390, height: 800 } } })
    const first = page.locator('tbody tr').first().locator('td').first()
    await first.locator('a').waitFor()
    const before = await first.boundingBox()
    const table = page.locator('.table-scroll').first()
    await table.evaluate((region) => region.scrollTo(10_000, 0))
    ok((await table.evaluate((region) => region.scrollLeft)) > 100)
    equal((await first.boundingBox())?.x, before?.x)
    await takeScreenshots(page, 'sticky')
    await expectAccessible(page)
  })

  test('an attempt without a payment leads to the events of its session, or of its sale', async () => {
    const { page, client } = await open()
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    equal((await sellTo(service, ana, { amount: 19 })).body.ok, false)
    const token = await merchantOf(service).sessionToken()
    await payerOf(service).pay(token, payBody(CARDS.declined))
    const [ofSession, ofSale] = (await client.call('GET /payments')).body.data
    for (const [{ id, session }, name, object] of [
      [ofSession, 'Events of its session', ofSession.session],
      [ofSale, 'Events of this sale', ofSale.id],
    ]) {
      await page.goto(page.url().replace(/(\/b\/[^/]+)\/.*/, `$1/payments/${id}`))
      await page.getByRole('link', { name }).click()
      await page.waitForURL(`**/events?object=${object}`)
      if (!session) await page.getByRole('link', { name: 'sale.failed' }).waitFor()
    }
  })

  test('a name and a saved view can be taken back for eight seconds (DSH-26)', async () => {
    const { page } = await open({ path: '/dashboard/account' })
    const name = page.getByLabel('Name').first()
    const first = await name.inputValue()
    await name.fill('Another name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Account of Another name' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: `Account of ${first}` }).waitFor()
    equal(await name.inputValue(), first)
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments`)
    const views = page.getByRole('button', { name: 'Views' })
    await views.click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: /Name/ }).fill('Taken back')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('the view is gone', async () => (await viewsNamed('Taken back')) === 0)
  })

  test('what cannot be taken back or deleted says why (DSH-26)', async () => {
    const { page, client } = await open({ path: '/dashboard/account' })
    await page.getByLabel('Name').first().fill('Another name')
    await page.getByRole('button', { name: 'Save' }).click()
    const json = { error: { code: 'rate_limited', message: 'Too many calls.' } }
    await page.route(/\/auth\/account$/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 429, json }),
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').filter({ hasText: 'Too many calls.' }).last().waitFor()
    await expectAccessible(page, ['light'])
    await takeScreenshots(page, 'undo-refused')
    const body = { list: 'payments', name: 'Kept', query: {}, columns: null, is_shared: false }
    equal((await client.call('POST /views', { body })).status, 201)
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments`)
    await page.route(/\/views\/[^/]+$/, (route) => route.abort('connectionreset'))
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Delete the view Kept' }).click()
    await page.getByText('It is not known whether this was done').waitFor()
    equal(await viewsNamed('Kept'), 1)
  })

  test('a sign-out that did not work leads nowhere, and says so (DSH-10)', async () => {
    const { page, client } = await open({ path: 'payments' })
    await page.waitForLoadState('networkidle')
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    const json = { error: { code: 'unavailable', message: 'The service is not available for a moment.' } }
    await page.route(/\/sign-out$/, (route) => route.fulfill({ status: 503, json }))
    await signOut()
    await page.getByText('The service is not available for a moment.').last().waitFor()
    ok(page.url().endsWith('/payments'))
    await page.unroute(/\/sign-out$/)
    // A person whose session has ended is already signed out.
    await service.app.services.db.deleteFrom('auth_session').where('user_id', '=', client.userId).execute()
    await signOut()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  test('nothing is cut with wide spacing and forced colours, on half a screen (DSH-23)', async () => {
    const { page } = await open({ context: { viewport: { width: 640, height: 800 }, forcedColors: 'active' } })
    const paths = ['home', 'payments', `payments/${payment}`, `customers/${ana.customerId}`, 'settings', 'sales/new']
    for (const path of paths) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await page.evaluate(spaceTexts)
      deepEqual(await page.evaluate(cutTexts), [], path)
      await expectFits(page, 640)
    }
    await page.goto(page.url().replace('sales/new', 'payments'))
    await page.getByRole('button', { name: 'Export' }).click()
    const box = page.getByRole('dialog').getByRole('checkbox').first()
    equal(await box.evaluate((input) => getComputedStyle(input).appearance), 'auto', 'boxes are those of the system')
  })

  test('nothing moves for who wants no motion (DSH-23)', async () => {
    const { page } = await open({ path: 'settings/letters' })
    await page.getByRole('switch').first().waitFor()
    const moves = () =>
      page.evaluate(() => {
        const times = [...document.querySelectorAll('*')].map((one) => getComputedStyle(one).transitionDuration)
        return times.some((time) => Number.parseFloat(time) > 0)
      })
    equal(await moves(), false)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    equal(await moves(), true)
  })

  const viewsNamed = async (name: string) => {
    const { db } = service.app.services
    const rows = await db.selectFrom('saved_view').select('id').where('name', '=', name).execute()
    return rows.length
  }
})

/** Applies the text spacing of WCAG 1.4.12. Runs in the page. */
function spaceTexts(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
    p { margin-bottom: 2em !important }`)
  document.adoptedStyleSheets.push(sheet)
}

/** Returns texts wider than their container, except for those that scroll in it. Runs in the page. */
function cutTexts(): string[] {
  const scrolls = '.only-read, .search-text, pre, svg, .table-scroll, [type=search], input, select'
  return [...document.querySelectorAll(`body *:not(${scrolls}, .table-scroll *, svg *)`)]
    .filter((element) => element instanceof HTMLElement && element.checkVisibility() && element.clientWidth > 0)
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 160))
}
