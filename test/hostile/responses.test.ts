import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantOf } from '../support/merchant.ts'
import { exchange } from '../support/raw-http.ts'
import { openService, type TestService } from '../support/service.ts'

// ATT-63 to ATT-65 and ATT-91 to ATT-93: the headers of every response, which origins may read it, and which address
// counts.

const soon = () => ({ signal: AbortSignal.timeout(10_000) })
const NO_TOKEN = '0'.repeat(64)

function headersOf(response: Response, names: string[]): Record<string, string | null> {
  return Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))
}

let service: TestService
let token: string
before(async () => {
  service = await openService({ timeScale: 0.5 })
  token = await merchantOf(service).sessionToken()
})
after(() => service.close())

describe('Headers of every response (ATT-63)', () => {
  const COMMON = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-powered-by': null,
    server: null,
  }

  test('of the API, for any request', async () => {
    for (const path of [
      '/healthz',
      `/api/checkout/${token}`,
      `/api/checkout/${NO_TOKEN}`,
      '/nowhere',
      '/%zz',
      '/api/v1/x',
      '/metrics',
    ]) {
      const response = await fetch(service.url + path, soon())
      deepEqual(headersOf(response, Object.keys(COMMON)), COMMON, path)
      match(response.headers.get('request-id') ?? '', /^[0-9a-f-]{36}$/)
      await response.text()
    }
  })

  test('of the form, for any request', async () => {
    const page = {
      ...COMMON,
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'x-frame-options': 'DENY',
      'permissions-policy':
        'camera=(), microphone=(), geolocation=(), payment=(self), publickey-credentials-get=(self)',
    }
    for (const path of [`/customer/checkout/${token}`, `/customer/checkout/${NO_TOKEN}`, '/nowhere']) {
      const response = await fetch(service.formUrl + path, soon())
      deepEqual(headersOf(response, Object.keys(page)), page, path)
      const policy = response.headers.get('content-security-policy') ?? ''
      for (const rule of [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]) {
        ok(policy.split('; ').includes(rule), `${path} lacks ${rule}`)
      }
      ok(!/unsafe-|\*/.test(policy))
      await response.text()
    }
  })
})

describe('SEC-34: documents of other origins', () => {
  test('keep a hold of no document: every GET of every listener says so', async () => {
    const { api, form, operations } = service.app
    const paths = [...new Set(service.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path))]
    const documents = new Set<string>()
    for (const host of [api, form, operations]) {
      for (const path of [...paths, '/nowhere']) {
        const url = path.replace(/\{\w+\}|\*/g, 'x')
        const { headers, body } = await host.inject({ url, headers: { accept: 'text/html', host: 'localhost' } })
        match(String(headers['cross-origin-opener-policy']), /^same-origin(?:-allow-popups)?$/, url)
        if (/^\s*<!doctype html/i.test(body)) documents.add(url)
      }
    }
    ok(documents.size >= 3, [...documents].join())
  })
})

describe('Pages of other origins (ATT-65)', () => {
  const foreign = (own: string) => [
    'null',
    'https://evil.example',
    `${own}.evil.example`,
    own.replace('//', '//evil.'),
    own.replace('http:', 'https:'),
    `${own}/`,
    `${own}0`,
    own.toUpperCase(),
    `${own}, https://evil.example`,
    '',
  ]

  test('are not allowed to read a public path, and the form is, without credentials', async () => {
    const url = `${service.url}/api/checkout/${NO_TOKEN}`
    for (const origin of foreign(service.formUrl)) {
      for (const method of ['GET', 'OPTIONS']) {
        const response = await fetch(url, { method, headers: { origin }, ...soon() })
        equal(response.headers.get('access-control-allow-origin'), null, origin)
        match(response.headers.get('vary') ?? '', /origin/)
        await response.text()
      }
    }
    const own = await fetch(url, { headers: { origin: service.formUrl }, ...soon() })
    equal(own.headers.get('access-control-allow-origin'), service.formUrl)
    equal(own.headers.get('access-control-allow-credentials'), null)
    await own.text()
  })

  test('cannot call a path for servers, whichever site they are of', async () => {
    const url = `${service.url}/api/${service.demo.business_id}/checkout/${NO_TOKEN}/details`
    for (const site of ['cross-site', 'same-site', 'same-origin', 'x']) {
      const headers = { authorization: `Bearer ${service.demo.access_token}`, 'sec-fetch-site': site }
      const response = await fetch(url, { headers, ...soon() })
      equal(response.status, 403)
      equal(((await response.json()) as { code: string }).code, 'origin_not_allowed')
      equal(response.headers.get('access-control-allow-origin'), null)
    }
  })
})

describe('When everything fails inside (ATT-64)', () => {
  test('each path responds in its envelope, and reveals nothing internal', async () => {
    await using failing = await openService({ timeScale: 0.5, beside: service })
    const { app, demo } = failing
    await app.services.db.destroy()
    const seen = new Set<number>()
    // The script of the API reference is third-party code, and mentions drivers.
    const own = app.routes.filter(({ path }) => !path.startsWith('/docs/'))
    for (const { method, path, access } of own) {
      const filled = path
        .replace('{business_id}', demo.business_id)
        .replace(/\{\w*token\}/, NO_TOKEN)
        .replace(/\{\w+\}/g, demo.business_id)
      const isFigures = path === '/metrics'
      const base = isFigures
        ? failing.operationsUrl
        : /^\/(customer|assets)\//.test(path)
          ? failing.formUrl
          : failing.url
      const headers = {
        'content-type': 'application/json',
        ...(access.name === 'bearer' && { authorization: `Bearer ${demo.access_token}` }),
      }
      const response = await fetch(base + filled, {
        method,
        headers,
        ...(method !== 'GET' && { body: '{}' }),
        ...soon(),
      })
      const text = (await response.text()).replace(/<style[\s\S]*<\/style>/, '')
      seen.add(response.status)
      const isMetric = isFigures && response.status === 200
      ok(isMetric || !/kysely|postgres|select |\.ts\b|node_modules|driver|at async|pg_/i.test(text), `${path}: ${text}`)
      if (response.status >= 500 && base === failing.url) {
        const body = JSON.parse(text)
        equal(body.request_id ?? body.error.request_id, response.headers.get('request-id'), path)
      }
    }
    ok(seen.has(500) || seen.has(503))
  })
})

describe('Whose address counts (ATT-91 to ATT-93)', () => {
  /** Returns 404 for an allowed address, 403 for any other. */
  async function statusFrom({ demo, url }: TestService, ...headers: string[]): Promise<number> {
    const lines = [
      `GET /api/${demo.business_id}/checkout/${NO_TOKEN}/details HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${demo.access_token}`,
      ...headers,
      '',
      '',
    ]
    return (await exchange(url, lines.join('\r\n'))).status
  }

  test('without trusted proxies it is the address of the peer, whatever the headers contain', async () => {
    for (const header of [
      'X-Forwarded-For',
      'X-Real-IP',
      'Forwarded',
      'X-Client-IP',
      'True-Client-IP',
      'CF-Connecting-IP',
    ]) {
      equal(await statusFrom(service, `${header}: 203.0.113.9`), 404, header)
    }
  })

  test('behind trusted proxies it is the last address that none of them wrote', async () => {
    const config = { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] }
    await using proxied = await openService({ timeScale: 0.5, beside: service, config })
    const rows: [status: number, ...headers: string[]][] = [
      [404],
      [404, 'X-Forwarded-For: ::1'],
      [404, 'X-Forwarded-For: 0:0:0:0:0:0:0:1'],
      [404, 'X-Forwarded-For: ::1, 10.1.2.3'],
      [404, 'X-Forwarded-For: 203.0.113.9, ::1'],
      [403, 'X-Forwarded-For: 203.0.113.9'],
      // A forged entry is to the left of the one that the proxy adds.
      [403, 'X-Forwarded-For: ::1, 203.0.113.9'],
      [403, 'X-Forwarded-For: ::1, 203.0.113.9, 10.1.2.3'],
      [403, 'X-Forwarded-For: ::1', 'X-Forwarded-For: 203.0.113.9'],
      [403, 'X-Forwarded-For: ::1, garbage'],
      [404, 'X-Forwarded-For: [::1]:443'],
      [404, 'X-Forwarded-For: 127.0.0.1:80'],
      [403, 'X-Forwarded-For: ::1, 203.0.113.9:5678'],
      [403, 'X-Forwarded-For: [::1]:443:443'],
      [403, 'X-Forwarded-For: [127.0.0.1]:80'],
      [403, 'X-Forwarded-For: 127.1'],
      [403, 'X-Forwarded-For: 0177.0.0.1'],
      [403, 'X-Forwarded-For: ::1%eth0'],
      // The demo's list contains 127.0.0.1, and so do the trusted proxies.
      [404, 'X-Forwarded-For: ::ffff:127.0.0.1'],
      [403, 'X-Forwarded-For: ::127.0.0.1'],
      [403, 'X-Forwarded-For: ::7f00:1'],
      [403, 'X-Forwarded-For: 0:0:0:0:0:0:127.0.0.1'],
      [403, 'X-Forwarded-For: 64:ff9b::127.0.0.1'],
      [403, 'X-Forwarded-For: ::ffff:0177.0.0.1'],
      [403, 'X-Forwarded-For: ::ffff:0x7f.0.0.1'],
      [403, 'X-Forwarded-For: 2130706433'],
      [404, 'X-Forwarded-For: ::1, ::ffff:10.1.2.3'],
      // An address that is not in a proxy's canonical spelling is not trusted: the list ends there.
      [403, 'X-Forwarded-For: ::1, ::127.0.0.1'],
      [403, 'X-Forwarded-For: ::1, ::10.1.2.3'],
      [403, 'X-Forwarded-For: ::1, 64:ff9b::10.1.2.3'],
      [403, 'X-Forwarded-For: ::1, 10.1'],
      [403, 'X-Forwarded-For: ::1, 0x0a.1.2.3'],
      [403, 'X-Forwarded-For: ::1, 012.1.2.3'],
      [403, 'X-Forwarded-For: ::1, ::ffff:012.1.2.3'],
      [403, 'X-Forwarded-For: ::1, 10.1.2.3%eth0'],
      [404, 'X-Forwarded-For: ::1, 10.1.2.3:80'],
      [403, 'X-Forwarded-For: unknown'],
      [404, 'X-Real-IP: 203.0.113.9'],
      [404, 'Forwarded: for=203.0.113.9'],
    ]
    const answered: typeof rows = []
    for (const [, ...headers] of rows) answered.push([await statusFrom(proxied, ...headers), ...headers])
    deepEqual(answered, rows)
    ok(!proxied.logged().includes('garbage'), 'what is not an address is not logged as one')
  })

  test('and no header lets in a peer that is not allowed', async () => {
    await using later = await openService({ timeScale: 0.5, beside: service })
    // Only ::1 remains on the list, and the tests come from 127.0.0.1.
    await later.app.services.db.deleteFrom('allowed_ip').where('address', '=', '127.0.0.1').execute()
    for (const header of [
      'X-Forwarded-For: ::1',
      'X-Real-IP: ::1',
      'Forwarded: for="[::1]"',
      'X-Forwarded-For: ::1, ::1',
    ]) {
      equal(await statusFrom(later, header), 403, header)
    }
  })
})
