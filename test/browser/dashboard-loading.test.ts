import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { isFocused, tabTo } from '../support/keyboard.ts'
import { until } from '../support/until.ts'

// DSH-22: resources that a page waits for when it opens.

const LISTS = ['payments', 'customers', 'subscriptions', 'sessions', 'products', 'events', 'contracts']

/** Matches the page's own script. */
const OWN_SCRIPT = /-page-[\w-]+\.js$/

describeDashboard('a page of the dashboard that opens', ({ service, open }) => {
  const own = () => `/dashboard/api/b/${service.demo.business_id}`
  const pathOf = (url: string) => url.slice(service.formUrl.length)

  /** Records what the page loads from now on. */
  function noted(page: Page) {
    const [calls, scripts]: [string[], string[]] = [[], []]
    page.on('request', (request) => {
      const path = pathOf(request.url())
      if (path.startsWith('/dashboard/api/')) calls.push(path)
      if (path.endsWith('.js')) scripts.push(path)
    })
    return { calls, scripts }
  }

  async function openedFully(page: Page, path: string): Promise<string> {
    const response = await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
    return (await response?.text()) ?? ''
  }

  for (const locale of ['en-CA', 'fr-CA', 'es-MX'])
    test(`loads the scripts that its document names, each once and no others (${locale})`, async () => {
      const { page } = await open({ path: 'account', context: { locale } })
      await page.waitForLoadState('networkidle')
      for (const path of ['home', ...LISTS, 'settings', 'team', 'calendar']) {
        const { scripts } = noted(page)
        const html = await openedFully(page, path)
        const named = [...html.matchAll(/(?:href|src)="([^"]+\.js)"/g)].map(([, file = '']) => file)
        deepEqual([...scripts].sort(), named.sort(), path)
        page.removeAllListeners('request')
      }
    })

  test('is read while its script is on its way', async () => {
    const { page } = await open({ path: 'account' })
    for (const path of ['home', ...LISTS]) {
      const { calls } = noted(page)
      const held: (() => void)[] = []
      await page.route(OWN_SCRIPT, (route) => void held.push(() => void route.continue()))
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      await until(`${path} is read`, async () => calls.some((call) => call.startsWith(own())))
      ok(held.length > 0, path)
      for (const release of held.splice(0)) release()
      await page.unroute(OWN_SCRIPT)
      await page.getByRole('heading', { level: 1 }).waitFor()
      page.removeAllListeners('request')
    }
  })

  // A closed list of choices was measured each time the dialog was rendered.
  test('has the choices of an export when their field has the focus, so that they are there for the keys', async () => {
    const { page } = await open({ path: 'payments' })
    await page.getByRole('button', { name: 'Export' }).click()
    const zone = page.getByRole('dialog').getByRole('combobox', { name: 'Time zone' })
    await zone.waitFor()
    const choices = page.locator('[role="option"]')
    equal(await choices.count(), 0)
    await tabTo(page, zone)
    await until('the choices are mounted', async () => (await choices.count()) > 1)
    equal(await choices.first().isVisible(), false)
    await page.keyboard.press('ArrowDown')
    await choices.first().waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    equal(await zone.inputValue(), 'UTC')
    await until('the field has the focus', () => isFocused(zone))
  })

  test('a menu opens by every means, the first time too, and gives the focus back to its button', async () => {
    const means: Record<string, (button: Locator) => Promise<void>> = {
      mouse: (button) => button.click(),
      touch: (button) => button.tap(),
      Enter: (button) => button.press('Enter'),
      Space: (button) => button.press('Space'),
    }
    const { page } = await open({ path: 'payments', context: { hasTouch: true } })
    for (const [name, press] of Object.entries(means)) {
      await page.reload()
      for (const label of ['Columns', 'Views', 'Add filter', /^Account of/]) {
        const button = page.getByRole('button', { name: label, exact: true })
        await button.waitFor()
        const states = () => Promise.all(['aria-haspopup', 'aria-expanded'].map((one) => button.getAttribute(one)))
        deepEqual(await states(), ['menu', 'false'])
        for (const time of ['first', 'second']) {
          await press(button)
          const menu = page.getByRole('menu')
          await until(`${name}, ${time}: the menu has the focus`, () =>
            menu.evaluate((one) => one.contains(document.activeElement)),
          )
          deepEqual(await states(), ['menu', 'true'])
          equal(await button.getAttribute('aria-controls'), await menu.getAttribute('id'))
          equal(await menu.getAttribute('aria-labelledby'), await button.getAttribute('id'))
          await page.keyboard.press('Escape')
          await until(`${name}, ${time}: the button has the focus`, () => isFocused(button))
          await menu.waitFor({ state: 'detached' })
          deepEqual(await states(), ['menu', 'false'])
        }
      }
    }
  })

  // What the kit sets on the body made the browser compute the style of every element of the page again.
  test('stays where it is under a dialog, and its body keeps its style', async () => {
    const { page } = await open({ path: 'payments', context: { viewport: { width: 1280, height: 300 } } })
    const scrolled = () => page.evaluate(() => scrollY)
    const style = () =>
      page.evaluate(() => [document.body.getAttributeNames().join(), getComputedStyle(document.body).overflow])
    await page.getByRole('button', { name: 'Export' }).waitFor()
    const before = await style()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').waitFor()
    deepEqual(await style(), before)
    const at = await scrolled()
    await page.mouse.move(5, 150)
    await page.mouse.wheel(0, 200)
    // With the page's own keys: no element has the focus.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('End')
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    equal(await scrolled(), at)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.mouse.wheel(0, 200)
    await until('the page scrolls again', async () => (await scrolled()) > at)
  })
})
