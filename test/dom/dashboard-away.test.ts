import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('a page of the dashboard whose person, or connection, is away', ({ open }) => {
  test('who does nothing is asked two minutes before the session ends, and one key keeps it (DSH-10)', async () => {
    const { page } = await open({ path: 'products' })
    await page.clock.install()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.clock.fastForward(12 * 60_000)
    equal(await page.getByRole('dialog').count(), 0)
    await page.clock.fastForward(70_000)
    const dialog = page.getByRole('dialog', { name: 'Are you still there?' })
    await dialog.waitFor()
    await page.clock.runFor(1_000)
    const [kept] = await Promise.all([page.waitForRequest(/\/dashboard\/api\/me/), page.keyboard.press('Enter')])
    equal(kept.headers()['x-background'], undefined)
    await page.clock.runFor(1_000)
    await dialog.waitFor({ state: 'detached' })
  })

  test('without a connection it says so', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByText(/You are offline/).waitFor()
    await page.context().setOffline(false)
    await page.getByText(/You are offline/).waitFor({ state: 'detached' })
  })

  test('home says once that there were too many calls, and reads all of its parts again', async () => {
    const { page } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const message = 'Too many requests'
    const error = { type: 'rate_limit_error', code: 'rate_limited', message, param: null, request_id: 'r', errors: {} }
    const refuse = (route: Route) => route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error } })
    const parts = /\/(home|alerts|bills\/upcoming)(\?|$)/
    await page.route((url) => url.pathname.startsWith('/dashboard/api/') && parts.test(url.pathname), refuse)
    const responses = () =>
      Promise.all(['home', 'alerts', 'bills/upcoming'].map((part) => page.waitForResponse(RegExp(`/${part}(\\?|$)`))))
    const refused = responses()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await refused
    const retry = page.getByRole('button', { name: 'Try again' })
    // Each part says so until the failure of the whole page is known.
    await until('one of them says it', async () => (await retry.count()) === 1)
    await page.unrouteAll()
    const read = responses()
    await retry.click()
    await read
    await retry.waitFor({ state: 'detached' })
  })
})
