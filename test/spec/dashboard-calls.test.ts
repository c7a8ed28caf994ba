import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { refusingWrites } from '../support/database.ts'
import { send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import { enter, newPerson, visitor } from '../support/visitor.ts'

// DSH-11, DSH-19: what a browser may call, and where.

const clock = stillClock('2027-03-01T12:00:10Z')
let service: TestService
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

const _ME = 'GET /dashboard/api/me'
const _SIGN_IN = 'POST /dashboard/auth/sign-in'

describe('Calls of a browser (DSH-11, DEF-4)', () => {
  test('write only with the right origin, media type, token and cookie together', async () => {
    const person = await newPerson(service)
    const [browser, other] = [await enter(service, person), await enter(service, await newPerson(service))]
    const url = `${service.formUrl}/dashboard/auth/account`
    const right = {
      site: 'same-origin',
      origin: service.formUrl,
      type: 'application/json',
      csrf: browser.csrf,
      cookie: browser.cookie,
    }
    const wrong = {
      site: ['cross-site', 'same-site', 'none', null],
      origin: ['https://evil.example', 'null', service.url],
      type: ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', null],
      csrf: [null, 'forged', other.csrf, browser.cookie],
      cookie: [null, 'rialto=forged.forged', browser.cookie.slice(0, -1), other.cookie],
    }
    const call = (how: Record<keyof typeof right, string | null>, method = 'PATCH') => {
      const headers = {
        ...(how.site !== null && { 'sec-fetch-site': how.site }),
        ...(how.origin !== null && { origin: how.origin }),
        ...(how.type !== null && { 'content-type': how.type }),
        ...(how.csrf !== null && { 'x-csrf-token': how.csrf }),
        ...(how.cookie !== null && { cookie: how.cookie }),
      }
      return send(url, { method, headers, body: Buffer.from(JSON.stringify({ name: 'Mallory' })) })
    }
    for (const [part, values] of Object.entries(wrong)) {
      for (const value of values) {
        const { status, headers } = await call({ ...right, [part]: value })
        // A browser too old for Sec-Fetch-Site is known by its origin.
        const expected = part === 'site' && value === null ? [200] : [401, 403, 415]
        ok(expected.includes(status), `${part} ${value}: ${status}`)
        equal(headers.get('access-control-allow-origin'), null)
        if (status === 200)
          equal((await browser.call('PATCH /dashboard/auth/account', { name: 'Pat Roy' })).status, 200)
      }
    }
    equal((await call({ ...right, site: null, origin: null })).status, 403)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) equal((await call(right, method)).status, 405, method)
    equal((await browser.call('GET /dashboard/auth/account')).body.name, 'Pat Roy')
    equal((await call(right)).status, 200)
  })

  test('write with no other combination of them', async (t) => {
    const browser = await enter(service, await newPerson(service))
    const combinations = productOf({
      site: ['same-origin', 'cross-site', 'none', null],
      origin: [service.formUrl, 'https://evil.example', null],
      type: ['application/json', 'text/plain'],
      csrf: [browser.csrf, null],
      cookie: [browser.cookie, null],
      method: ['PATCH', 'POST'],
    })
    t.diagnostic(`${combinations.length} combinations`)
    const passed: string[] = []
    for (const { site, origin, type, csrf, cookie, method } of combinations) {
      const headers = Object.entries({
        'sec-fetch-site': site,
        origin,
        'content-type': type,
        'x-csrf-token': csrf,
        cookie,
      })
      const { status } = await send(`${service.formUrl}/dashboard/auth/account`, {
        method: method ?? '',
        headers: Object.fromEntries(headers.filter((header): header is [string, string] => header[1] !== null)),
        body: Buffer.from(JSON.stringify({ name: 'Pat Roy' })),
      })
      if (status === 200) passed.push([method, site, origin, type].join(' '))
      else ok([401, 403, 405, 415].includes(status), `${status} ${[method, site, origin, type, csrf, cookie]}`)
    }
    const rest = `${service.formUrl} application/json`
    // A browser too old for Sec-Fetch-Site is known by its origin, and a new one need not send that.
    deepEqual(passed, [`PATCH same-origin ${rest}`, 'PATCH same-origin  application/json', `PATCH  ${rest}`])
  })

  test('before sign-in are those of the dashboard too', async () => {
    const person = await newPerson(service)
    const body = JSON.stringify({ email: person.email, password: person.password })
    const type = { 'content-type': 'application/json' }
    for (const headers of [
      { ...type },
      { ...type, 'sec-fetch-site': 'cross-site', origin: service.formUrl },
      { ...type, origin: 'https://evil.example' },
      { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      const { status, headers: got } = await send(`${service.formUrl}/dashboard/auth/sign-in`, {
        method: 'POST',
        headers,
        body,
      })
      ok([403, 415].includes(status), `${JSON.stringify(headers)}: ${status}`)
      equal(got.get('set-cookie'), null)
    }
  })

  test('that read write nothing: they work in a database that refuses writes', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    await using reader = await openService({ clock, beside: service, databaseRoute: refusingWrites })
    const there = visitor(reader, browser)
    for (const path of ['/dashboard/api/me', '/dashboard/auth/account', '/dashboard/auth/audit']) {
      equal((await there.call(`GET ${path}`)).status, 200, path)
    }
    equal((await there.call('PATCH /dashboard/auth/account', { name: 'X' })).status, 500)
  })
})

describe('The dashboard with a host of its own (DSH-19, DEF-19)', () => {
  test('is only there, and the payment form only on the other; cookies and passkeys belong to its host', async () => {
    await using apart = await openService({
      clock,
      beside: service,
      config: { merchantDashboardUrl: 'https://dash.example' },
    })
    const { port } = new URL(apart.formUrl)
    const status = async (path: string, host: string, method = 'GET') => {
      const headers: Record<string, string> = {
        host,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      }
      const { body, status: code, headers: got } = await rawCall(Number(port), { method, path, headers })
      return { code, body, cookie: got['set-cookie'] ?? null }
    }
    const form = `localhost:${port}`
    for (const path of ['/dashboard', '/dashboard/sign-in', '/dashboard/api/me', '/']) {
      equal((await status(path, form)).code, 404, path)
    }
    const isDashboards = async (host: string) =>
      (await status('/dashboard/nowhere', host)).body.includes('npm run build')
    deepEqual([await isDashboards(form), await isDashboards('dash.example')], [false, true])
    equal((await status('/dashboard/api/me', 'dash.example')).code, 401)
    equal((await status('/dashboard/api/me', 'DASH.example:443')).code, 401)
    equal((await status('/', 'dash.example')).code, 302)
    for (const host of ['dash.example', 'other.example', '']) {
      equal((await status('/customer/checkout/nothing', host)).code, 404)
      equal((await status(`/assets/form.test.js`, host)).code, 404)
    }
    equal((await status('/assets/form.test.js', form)).code, 200)
    const options = await status('/dashboard/auth/passkey/options', 'dash.example', 'POST')
    equal(JSON.parse(options.body).options.rpId, 'dash.example')
    const person = await newPerson(service)
    const headers = { host: 'dash.example', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const body = JSON.stringify({ email: person.email, password: person.password })
    const signedIn = await rawCall(Number(port), { method: 'POST', path: '/dashboard/auth/sign-in', headers, body })
    match(
      String(signedIn.headers['set-cookie']),
      /^__Host-rialto=[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const elsewhere = await rawCall(Number(port), {
      method: 'POST',
      path: '/dashboard/auth/sign-in',
      headers: { ...headers, host: form },
      body,
    })
    deepEqual([elsewhere.status, elsewhere.headers['set-cookie']], [404, undefined])
  })
})

type Choices = Record<string, (string | null)[]>

/** Every combination of one of each. */
function productOf<Given extends Choices>(given: Given): Record<keyof Given, string | null>[] {
  let made: Record<string, string | null>[] = [{}]
  for (const [part, values] of Object.entries(given))
    made = made.flatMap((before) => values.map((value) => ({ ...before, [part]: value })))
  return made as Record<keyof Given, string | null>[]
}

/** With a `Host` of its own, which `fetch` does not send. */
function rawCall(
  port: number,
  {
    method,
    path,
    headers,
    body = '{}',
  }: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, setHost: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) })
    })
    sent.on('error', reject)
    sent.end(method === 'GET' ? undefined : body)
  })
}
