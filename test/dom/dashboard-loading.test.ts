import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { tabTo } from '../support/keyboard.ts'
import { until } from '../support/until.ts'

// DSH-22: resources that a page waits for when it opens.

const LISTS = ['payments', 'customers', 'subscriptions', 'sessions', 'products', 'events', 'contracts']

describeDashboardInDom('a page of the dashboard that opens', ({ service, open, openSignedOut }) => {
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

  test('reads the session once, and makes three calls at most, none of them twice', async () => {
    const { page } = await open({ path: 'account' })
    for (const path of ['home', ...LISTS, 'settings', 'team', 'calendar', 'webhooks', 'keys']) {
      const { calls } = noted(page)
      await openedFully(page, path)
      equal(calls.filter((call) => call === '/dashboard/api/me').length, 1, path)
      const others = calls.filter((call) => call !== '/dashboard/api/me')
      ok(others.length <= 3, `${path}: ${others.join()}`)
      deepEqual([...new Set(others)], others, path)
      page.removeAllListeners('request')
    }
  })

  test('reads no session where nobody is signed in yet', async () => {
    const page = await openSignedOut('/dashboard/sign-in')
    const { calls } = noted(page)
    for (const path of ['welcome#x', 'set-up#x', 'reset#x', 'forgotten', 'sign-in']) {
      await page.goto(`${service.formUrl}/dashboard/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      deepEqual(calls.splice(0), [], path)
    }
  })

  test('reads home and its alerts each time it opens, however soon', async () => {
    const { page } = await open({ path: 'account' })
    await page.waitForLoadState('networkidle')
    const { calls } = noted(page)
    let ended = 0
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => {
        if (pathOf(request.url()).startsWith('/dashboard/api/')) ended++
      })
    const count = (path: string) => calls.filter((call) => call === `${own()}/${path}`).length
    const link = (name: string) =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })
    // The frame reads the alerts on every page.
    await page.clock.setFixedTime(new Date())
    const alerts = page.waitForResponse((response) => response.url().endsWith(`${own()}/alerts`))
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments`)
    await alerts
    for (const opened of [1, 2]) {
      // Two concurrent reads of the same data are merged.
      await until('no call is under way', () => ended === calls.length, 20_000)
      await link('Home').click()
      // Not by the timer that reads both once a minute.
      await until('home is read', () => count('home') === opened && count('alerts') > opened, 20_000)
      await page.locator('main .card').first().waitFor()
      await link('Payments').click()
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    }
  })

  test('with filters is read by the list alone, once', async () => {
    const { page } = await open({ path: 'account' })
    const { calls } = noted(page)
    await openedFully(page, 'payments?status=failed')
    const reads = calls.filter((call) => call.startsWith(`${own()}/payments`))
    deepEqual(reads, [`${own()}/payments?status=failed`])
  })

  // A component of the kit in each cell made the next page three times as slow.
  test('has plain elements where there are many: rows, and the columns of an export', async () => {
    const { page } = await open({ path: 'account' })
    await openedFully(page, 'payments')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'created' }).waitFor()
    const ofTheKit = (parts: string) => page.locator(`${parts} [class*="mantine-"]`).count()
    ok((await page.locator('.export-columns input').count()) > 20)
    deepEqual([await ofTheKit('.list tbody'), await ofTheKit('.export-columns')], [0, 0])
  })

  // A page has up to six of each. Closed ones took a tenth of the time until home was there.
  test('mounts no menu and no dialog before one is needed', async () => {
    const { page } = await open({ path: 'account' })
    for (const path of ['home', ...LISTS, 'team', 'calendar', 'keys']) {
      await openedFully(page, path)
      deepEqual(await mountedOverlays(page), [], path)
    }
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menu').waitFor()
    deepEqual(await mountedOverlays(page), ['Menu', 'Modal'])
  })

  // At a quarter of this machine's speed, to mount it took longer than to open it.
  test('has a menu mounted when its button is pressed', async () => {
    const { page } = await open({ path: 'payments' })
    const means: Record<string, (button: Locator) => Promise<void>> = {
      keyboard: (button) => tabTo(page, button),
      pointer: (button) => button.hover(),
    }
    for (const [name, reach] of Object.entries(means)) {
      await page.reload()
      const button = page.getByRole('button', { name: 'Views', exact: true })
      await button.waitFor()
      deepEqual(await mountedOverlays(page), [], name)
      await reach(button)
      deepEqual(await mountedOverlays(page), ['Menu'], name)
      equal(await page.getByRole('menu').count(), 0)
    }
  })
})

interface Fiber {
  type: { displayName?: string } | string | null
  child: Fiber | null
  sibling: Fiber | null
}

/** Returns the mounted menus and dialogs of the kit, from React: a closed one leaves no trace in the document. */
const mountedOverlays = (page: Page) =>
  page.evaluate(() => {
    const names = new Set<string>()
    const note = (first: Fiber | null) => {
      for (let fiber = first; fiber; fiber = fiber.sibling) {
        const [, name] = /^@mantine\/core\/(Menu|Modal|Drawer)$/.exec((fiber.type as Named)?.displayName ?? '') ?? []
        if (name) names.add(name)
        note(fiber.child)
      }
    }
    type Named = { displayName?: string } | null
    const root = Object.entries(document.getElementById('root') ?? {}).find(([key]) =>
      key.startsWith('__reactContainer'),
    )
    if (!root) throw new Error('React has not rendered the page')
    note(root[1].stateNode.current)
    return [...names].sort()
  })
