import { equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboard, expectAccessible, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// DSH-26, DSH-43, DSH-44: what the pages of objects and their lists have in common.

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
    const cell = page.locator('tbody tr').first().locator('td').nth(2)
    await cell.waitFor()
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

  const viewsNamed = async (name: string) => {
    const { db } = service.app.services
    const rows = await db.selectFrom('saved_view').select('id').where('name', '=', name).execute()
    return rows.length
  }
})
