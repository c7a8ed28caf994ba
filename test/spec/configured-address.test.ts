import { equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantOf } from '../support/merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// OPS-124: a page that is opened under a different name than the configured one.

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' }

describe('a page under another address than the configured one', () => {
  let local: TestService
  let public_: TestService
  before(async () => {
    local = await openService()
    public_ = await openService({
      config: { baseUrl: 'https://api.example', dashboardUrl: 'https://form.example', trustedProxies: ['127.0.0.1'] },
    })
  })
  after(async () => {
    await local.close()
    await public_.close()
  })

  const open = (host: string, url: string, headers: Record<string, string> = PAGE, { app } = public_) =>
    (url === '/docs' ? app.api : app.form).inject({ method: 'GET', url, headers: { host, ...headers } })

  test('OPS-124: leads to the right one, with its path and query', async () => {
    const token = await merchantOf(public_).sessionToken()
    const pages = [
      `/customer/checkout/${token}?locale=es`,
      '/dashboard',
      '/dashboard/b/x/payments?status=paid',
      '/',
      '/docs',
    ]
    for (const host of [
      '127.0.0.1:4001',
      'localhost',
      '10.0.0.7:4001',
      'form.example:8443',
      'WWW.form.example',
      '[::1]',
    ]) {
      for (const url of pages) {
        const { statusCode, headers, body } = await open(host, url)
        equal(statusCode, 302, `${host} ${url}`)
        const there = new URL(String(headers.location))
        equal(there.origin, url === '/docs' ? 'https://api.example' : 'https://form.example')
        equal(there.pathname, url.split('?')[0])
        ok(there.href.includes(url.split('?')[1] ?? ''))
        equal(headers['cache-control'], 'no-store')
        match(body, /This page is at https:/)
      }
    }
  })

  test('OPS-124: the right address, also in capitals and with its default port, and plain HTTP that nobody reports', async () => {
    for (const host of ['form.example', 'FORM.example', 'form.example:443']) {
      equal((await open(host, '/dashboard')).statusCode === 302, false, host)
    }
    const said = { ...PAGE, 'x-forwarded-proto': 'http' }
    equal(
      (await open('form.example', '/dashboard', said)).headers.location?.toString().slice(0, 21),
      'https://form.example/',
    )
    equal(
      (await open('form.example', '/dashboard', { ...said, 'x-forwarded-proto': 'https' })).statusCode === 302,
      false,
    )
  })

  test('OPS-124: a proxy that replaces the name is noticed, so that nothing leads round in a circle', async () => {
    const first = await open('upstream:4001', '/dashboard')
    const there = new URL(String(first.headers.location))
    const second = await open('upstream:4001', there.pathname + there.search)
    equal(second.statusCode === 302, false)
    equal((await open('upstream:4001', '/dashboard')).statusCode === 302, false)
  })

  test('OPS-124: where a redirect would lead to another machine, a sentence says where the page is', async () => {
    const { origin, port } = new URL(local.formUrl)
    for (const host of ['192.168.1.5:4001', 'pay.example', 'localhost:1', 'a"><script>.example']) {
      const { statusCode, body, headers } = await open(host, '/dashboard', PAGE, local)
      if (host.includes('<')) {
        equal(body.includes('<script>'), false)
        continue
      }
      equal(statusCode, 421, host)
      match(body, new RegExp(`This page is at <a href="${origin}/dashboard">`))
      match(body, /set DASHBOARD_URL/)
      match(String(headers['content-security-policy']), /default-src 'none'/)
    }
    const { headers } = await open(`127.0.0.1:${port}`, '/dashboard', PAGE, local)
    equal(new URL(String(headers.location)).origin, origin)
  })

  test('OPS-124: API calls, probes, files and posts are served under any name', async () => {
    const { app } = public_
    const listeners = [app.api, app.form, app.operations]
    let calls = 0
    for (const { method, path } of app.routes) {
      for (const listener of listeners) {
        for (const accept of ['application/json', '*/*']) {
          const { statusCode } = await listener.inject({
            method: method as 'GET',
            url: path.replace(/\{\w+\}/g, 'x').replace('*', 'x'),
            headers: { host: 'other.example', accept },
          })
          ok(statusCode !== 421, path)
          calls += 1
        }
      }
    }
    ok(calls > 500, `${calls} calls`)
    equal((await open('other.example', '/healthz', PAGE)).statusCode === 302, false)
    equal((await open('other.example', '/dashboard/api/x', PAGE)).statusCode === 302, false)
  })
})
