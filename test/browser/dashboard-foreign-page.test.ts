import { deepEqual, equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { describeDashboard } from '../support/describe-dashboard.ts'

// DSH-10, DSH-11, DSH-21: a page of a different site, opened by a person who is signed in.

describeDashboard('a page of another site (DEF-5)', ({ service, open }) => {
  // 127.0.0.1 is a different site than localhost, where the dashboard is.
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Foreign</title><h1>Foreign</h1>'),
  )
  let foreign: string
  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    foreign = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  after(() => void server.close())

  /** Opens the page, and records every request that it sends to the dashboard. */
  async function openForeign(): Promise<{ page: Page; sent: Request[]; stillSignedIn(): Promise<number> }> {
    const { page, client } = await open({ path: 'products' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const sent: Request[] = []
    page.context().on('request', (request) => {
      if (request.url().startsWith(service.formUrl)) sent.push(request)
    })
    await page.goto(foreign)
    const stillSignedIn = async () => (await client.call('GET /dashboard/api/me')).status
    return { page, sent, stillSignedIn }
  }

  const cookiesOf = async (requests: Request[]) =>
    Promise.all(requests.map(async (request) => (await request.allHeaders()).cookie ?? null))

  test('posts a form without the cookie, and is refused', async () => {
    const { page, sent, stillSignedIn } = await openForeign()
    const url = `${service.formUrl}/dashboard/auth/sign-out`
    await page.evaluate((action) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype: 'text/plain' })
      document.body.append(form)
      form.submit()
    }, url)
    await page.waitForURL(url)
    deepEqual(await cookiesOf(sent), [null])
    const response = await sent[0]?.response()
    equal((response?.status() ?? 0) >= 400, true)
    equal(await stillSignedIn(), 200)
  })

  test('fetches with credentials, and neither sends the cookie nor reads a response', async () => {
    const { page, sent, stillSignedIn } = await openForeign()
    const outcomes = await page.evaluate(async (origin) => {
      const attempt = (path: string, init: RequestInit) =>
        fetch(origin + path, { credentials: 'include', ...init }).then(
          ({ type }) => type,
          () => 'failed',
        )
      return Promise.all([
        attempt('/dashboard/api/me', {}),
        attempt('/dashboard/api/me', { mode: 'no-cors' }),
        attempt('/dashboard/auth/sign-out', { method: 'POST', mode: 'no-cors', body: '{}' }),
        attempt('/dashboard', { mode: 'no-cors' }),
      ])
    }, service.formUrl)
    // `Cross-Origin-Resource-Policy` blocks even the opaque response.
    deepEqual(outcomes, ['failed', 'failed', 'failed', 'failed'])
    deepEqual([...new Set(await cookiesOf(sent))], [null])
    equal(await stillSignedIn(), 200)
  })

  test('cannot frame the dashboard', async () => {
    const { page } = await openForeign()
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }))
    }, `${service.formUrl}/dashboard`)
    await page.waitForFunction(() => frames.length === 1)
    await page.waitForTimeout(500)
    const [, frame] = page.frames()
    equal(await frame?.locator('#root').count(), 0)
  })

  test('opens it in a window that it cannot read or steer', async () => {
    const { page } = await openForeign()
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate((url) => {
        Object.assign(window, { opened: window.open(url) })
      }, `${service.formUrl}/dashboard`),
    ])
    await popup.getByRole('heading', { level: 1 }).waitFor()
    const seen = await page.evaluate(() => {
      const { opened } = window as unknown as { opened: Window }
      return { isClosed: opened.closed, frames: opened.length }
    })
    deepEqual(seen, { isClosed: true, frames: 0 })
    equal(await popup.evaluate(() => window.opener), null)
  })
})
