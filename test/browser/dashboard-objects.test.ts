import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { describeDashboard, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
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
    await takeScreenshots(page, 'object')
  })

  test('an unknown page is not found, in the frame of whoever is signed in (DSH-43)', async () => {
    const { page } = await open({ path: '/dashboard/account' })
    const response = await page.goto(`${service.formUrl}/dashboard/nonsense`)
    equal(response?.status(), 404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('banner').waitFor()
    await takeScreenshots(page, 'not-found')
    await page.getByRole('link', { name: 'To the start page' }).click()
    await page.waitForURL('**/home')
    const nobody = await openSignedOut('/dashboard/nonsense')
    await nobody.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
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
