import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { BODY_BYTES_MAX } from '../../server/http/server.ts'
import { cpuMs } from '../support/cpu-time.ts'
import type { BodyRoute } from '../support/hostile-route.ts'
import { assertBodyRefused, bodyRoutes, codeOf, HOSTILE_CARD } from '../support/hostile-routes.ts'
import { send } from '../support/merchant.ts'
import { exchange } from '../support/raw-http.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { countRows } from '../support/whole-database.ts'

// FLT-60, FLT-62, FLT-63 and ATT-53: bodies that are not requests at all, on every path that takes one.

let service: TestService
let routes: BodyRoute[]
let rows: Record<string, number>

before(async () => {
  service = await openService({ timeScale: 0.5 })
  callInProcess(service)
  routes = await bodyRoutes(service)
  rows = await countRows(service.databaseUrl)
})
after(() => service.close())

/** Tries it on every path: everything that is tried here is refused. */
async function onEveryRoute(check: (route: BodyRoute) => Promise<void>): Promise<void> {
  for (const route of routes) {
    await check(route).catch((error: Error) => {
      throw new Error(`${route.name}: ${error.message}`, { cause: error })
    })
  }
}

const good = ({ body }: BodyRoute) => JSON.stringify(body)
const inFront = (route: BodyRoute, member: string) => good(route).replace('{', `{${member},`)

describe('A body that is not JSON is 422', () => {
  const broken: Record<string, (route: BodyRoute) => string> = {
    'cut in half': (route) => good(route).slice(0, -5),
    'a brace only': () => '{',
    'a trailing comma': (route) => good(route).replace(/}$/, ',}'),
    'two byte order marks': (route) => `\uFEFF\uFEFF${good(route)}`,
    'single quotes': (route) => good(route).replaceAll('"', "'"),
    'a comment': (route) => `/* x */${good(route)}`,
    'two bodies': (route) => good(route) + good(route),
    'NaN in it': (route) => inFront(route, '"x":NaN'),
    'a form': () => 'amount=25.5&x=y',
    XML: () => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
  }
  for (const [name, bodyOf] of Object.entries(broken)) {
    test(name, () =>
      onEveryRoute(async (route) =>
        assertBodyRefused(route, await route.send(bodyOf(route)), 422, 'validation_failed'),
      ),
    )
  }

  for (const body of ['', '   \n']) {
    test(`${JSON.stringify(body)}, where a member is required`, () =>
      onEveryRoute(async (route) => {
        if (route.emptyBody === 'acts') return
        const response = await route.send(body)
        if (route.emptyBody === 'accepted') equal(response.status, 200)
        else assertBodyRefused(route, response, 422, 'validation_failed')
      }))
  }

  test('in other bytes than UTF-8', () =>
    onEveryRoute(async (route) => {
      const { url, method, headers } = route
      for (const body of [Buffer.from('{"a":"\xff"}', 'latin1'), Buffer.from('{"a":1}', 'utf16le')]) {
        assertBodyRefused(route, await send(url, { method, headers, body }), 422, 'validation_failed', ['body'])
      }
    }))
})

describe('A body that is JSON, but not an object, or a trap, is 422', () => {
  for (const json of ['null', '[{}]', '0', '"text"', 'true', '[[[[]]]]']) {
    test(json, () =>
      onEveryRoute(async (route) =>
        assertBodyRefused(route, await route.send(json), 422, 'validation_failed', ['body']),
      ),
    )
  }

  const traps: Record<string, string> = {
    'a key twice': '"twice":1,"twice":2',
    'a key twice, once with an escape': '"twice":1,"tw\\u0069ce":2',
    __proto__: '"__proto__":{"polluted":true}',
    'constructor.prototype': '"constructor":{"prototype":{"polluted":true}}',
    '__proto__ deep inside': '"a":[{"b":{"__proto__":{"polluted":true}}}]',
    '30 levels': `"deep":${'['.repeat(30)}${']'.repeat(30)}`,
  }
  for (const [name, member] of Object.entries(traps)) {
    test(name, () =>
      onEveryRoute(async (route) =>
        assertBodyRefused(route, await route.send(inFront(route, member)), 422, 'validation_failed', ['body']),
      ),
    )
  }

  test('as deep as the size allows', () =>
    onEveryRoute(async (route) => {
      const levels = Math.floor(BODY_BYTES_MAX / 2) - 10
      const from = cpuMs()
      assertBodyRefused(route, await route.send('['.repeat(levels) + ']'.repeat(levels)), 422, 'validation_failed', [
        'body',
      ])
      ok(cpuMs() - from < 1_000)
    }))
})

describe('A body that is too large is 413', () => {
  test('10 MB announced: refused before they are sent, and the connection is closed', () =>
    onEveryRoute(async (route) => {
      const response = await exchange(route.url, `${headOf(route, 'Content-Length: 10485760')}{"a":"`)
      deepEqual(
        [response.status, response.closed, codeOf({ body: JSON.parse(response.body) })],
        [413, true, 'body_too_large'],
      )
    }))

  test('100,000 levels of nesting', () =>
    onEveryRoute(async (route) => {
      const body = '['.repeat(100_000) + ']'.repeat(100_000)
      const response = await exchange(route.url, `${headOf(route, `Content-Length: ${body.length}`)}${body}`)
      equal(response.status, 413)
    }))

  test('one byte more than allowed, while just as much as allowed is read', () =>
    onEveryRoute(async (route) => {
      const list = (length: number) => `["${'x'.repeat(length - 4)}"]`
      assertBodyRefused(route, await route.send(list(BODY_BYTES_MAX + 1)), 413, 'body_too_large')
      assertBodyRefused(route, await route.send(list(BODY_BYTES_MAX)), 422, 'validation_failed')
    }))
})

describe('A body of another kind is 415', () => {
  const kinds: Record<string, string> = {
    'JSON called text': 'text/plain',
    'JSON called a form': 'application/x-www-form-urlencoded',
    'JSON called a form in capitals': 'Application/X-WWW-Form-Urlencoded',
    multipart: 'multipart/form-data; boundary=x',
    'UTF-7': 'application/json; charset=utf-7',
    'UTF-16': 'application/json; charset=utf-16',
    XML: 'application/xml',
    'JSON with a suffix': 'application/json-patch+json',
    'JSON and more': 'application/json, text/plain',
    'no kind at all': 'x',
  }
  for (const [name, type] of Object.entries(kinds)) {
    test(name, () =>
      onEveryRoute(async (route) => {
        // The token path also accepts forms (docs/reference/checkout-api.md), and this one is not valid.
        const status = route.name === 'token' && /form-urlenc/i.test(type) ? 422 : 415
        const response = await route.send(good(route), { 'content-type': type })
        equal(response.status, status, JSON.stringify(response.body))
      }),
    )
  }

  test('without a content type', () =>
    onEveryRoute(async (route) => {
      const { 'content-type': _, ...headers } = route.headers
      const body = Buffer.from(good(route))
      const response = await send(route.url, { method: route.method, headers, body })
      assertBodyRefused(route, response, 415, 'unsupported_media_type')
    }))

  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity, gzip']) {
    test(`compressed as ${encoding}`, () =>
      onEveryRoute(async (route) => {
        const headers = { ...route.headers, 'content-encoding': encoding }
        const response = await send(route.url, { method: route.method, headers, body: gzipSync(good(route)) })
        assertBodyRefused(route, response, 415, 'unsupported_media_type')
      }))
  }

  test('JSON in UTF-8 is accepted in any spelling of its content type', () =>
    onEveryRoute(async (route) => {
      for (const type of ['application/json;charset=UTF-8', 'APPLICATION/JSON', 'application/json; charset="utf-8"']) {
        equal((await route.send('null', { 'content-type': type })).status, 422)
      }
    }))
})

describe('Of all these bodies', () => {
  test('nothing was written', async () => deepEqual(await countRows(service.databaseUrl), rows))

  test('nothing reached a prototype', () => equal(({} as { polluted?: unknown }).polluted, undefined))

  test('nothing of a card was logged', () => {
    ok(service.logged().includes('"path":"/api/checkout/{token}/pay"'))
    ok(!service.logged().includes(HOSTILE_CARD))
  })
})

function headOf({ url, method, headers }: BodyRoute, ...more: string[]): string {
  const { host, pathname } = new URL(url)
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${pathname} HTTP/1.1`, `Host: ${host}`, ...given, ...more, '', ''].join('\r\n')
}
