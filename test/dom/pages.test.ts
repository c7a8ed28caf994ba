import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'

// Test files share a process (scripts/test-queue.ts), so a page in the DOM may change nothing of it.

const NATIVE = { Date, Intl, clearTimeout, console, fetch, performance, setImmediate, setInterval, setTimeout }
const before = Object.getOwnPropertyNames(globalThis)
const { describeDashboardInDom } = await import('../support/dom/describe-dashboard-in-dom.ts')

describeDashboardInDom('pages of the dashboard in the DOM', ({ open }) => {
  test('leave the globals of the process as they were, and no timer', async () => {
    const { page } = await open({ path: 'payments' })
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menu').waitFor()
    deepEqual(
      Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name)),
      [],
    )
    for (const name of ['document', 'window', 'HTMLElement', 'React']) equal(name in globalThis, false, name)
    for (const [name, value] of Object.entries(NATIVE)) equal(Reflect.get(globalThis, name), value, name)
    const { clock } = page as unknown as { clock: { timers(): number } }
    ok(clock.timers() > 0, 'an open page reads again after some time')
    await page.context().close()
    equal(clock.timers(), 0)
  })

  test('are several at once, each with its own person, language and time', async () => {
    const [{ page: english }, { page: french }] = await Promise.all([
      open({ path: 'products' }),
      open({ path: 'products', context: { locale: 'fr-CA' } }),
    ])
    await english.clock.setFixedTime(new Date('2030-01-01T00:00:00Z'))
    await french.getByRole('heading', { level: 1, name: 'Produits' }).waitFor()
    await english.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    equal(await english.evaluate(() => new Date().getUTCFullYear()), 2030)
    ok((await french.evaluate(() => new Date().getUTCFullYear())) < 2030)
    equal(await english.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone), 'America/Toronto')
  })

  test('find elements as a browser does: one that is not shown, and two instead of one, are refused', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await rejects(page.getByRole('link').click(), /strict mode violation/)
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('style', 'display: none'))
    equal(await page.locator('h1').isVisible(), false)
    equal(await page.getByRole('heading', { level: 1 }).count(), 0)
    await rejects(page.locator('h1').click({ timeout: 50 }), /is not visible, enabled/)
  })
})
