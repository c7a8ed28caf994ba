import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantOf } from '../support/merchant.ts'
import { exchange, type RawResponse } from '../support/raw-http.ts'
import { openService, type TestService } from '../support/service.ts'

// FLT-72, FLT-74, FLT-75, ATT-57, ATT-59, ATT-60: what no HTTP client would send.

let service: TestService

before(async () => {
  service = await openService({ timeScale: 0.5 })
})
after(() => service.close())

const send = (...lines: string[]) => exchange(service.url, `${lines.join('\r\n')}\r\n\r\n`)
const get = (target: string, ...headers: string[]) => send(`GET ${target} HTTP/1.1`, 'Host: x', ...headers)
const codeOf = ({ body }: RawResponse): string => JSON.parse(body).code

/** Asserts a refusal by HTTP: closed, one response, in our envelope. */
function assertBroken(response: RawResponse, statuses: number[]): void {
  ok(statuses.includes(response.status), `${response.status} ${response.text}`)
  deepEqual([response.responses, response.closed], [1, true], response.text)
  const { ok: isOk, message, code, request_id: id } = JSON.parse(response.body)
  deepEqual([isOk, typeof message, typeof code], [false, 'string', 'string'])
  equal(response.headers['request-id'], id)
  equal(response.headers['cache-control'], 'no-store')
}

describe('A request that Node accepts and we refuse (FLT-74)', () => {
  const twice: Record<string, [string, string]> = {
    Host: ['Host: a', 'Host: b'],
    Authorization: ['Authorization: Bearer a', 'Authorization: Bearer b'],
    'Content-Type': ['Content-Type: application/json', 'Content-Type: text/plain'],
    Origin: ['Origin: https://a.example', 'Origin: https://b.example'],
  }
  for (const [name, headers] of Object.entries(twice)) {
    test(`two ${name} headers`, async () => {
      const first = name === 'Host' ? [] : ['Host: x']
      const response = await send('GET /healthz HTTP/1.1', ...first, ...headers)
      deepEqual([response.status, codeOf(response)], [400, 'malformed_request'])
    })
  }

  test('no Host at all', async () => {
    const response = await send('GET /healthz HTTP/1.1')
    equal(response.status, 400)
    equal(codeOf(response), 'malformed_request')
  })

  test('HTTP/0.9 and HTTP/2.0', async () => {
    for (const bytes of ['GET /healthz\r\n\r\n', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n']) {
      equal((await exchange(service.url, bytes)).status, 400, bytes)
    }
  })

  for (const target of ['http://x/healthz', 'https://evil.example/api', 'x', '*']) {
    test(`the target ${target}`, async () => {
      const response = await get(target)
      ok([400, 404].includes(response.status), response.text)
      equal(response.responses, 1)
    })
  }
})

test('an expectation that Node does not know is ignored', async () => {
  const response = await get('/healthz', 'Expect: nothing', 'Connection: close')
  deepEqual([response.status, response.responses], [200, 1], response.text)
  ok(response.headers['request-id'])
})

describe('Limits of size', () => {
  test('a URL of 2 KiB is looked up, a longer one refused', async () => {
    equal((await get(`/healthz?${'x'.repeat(2_000)}`)).status, 200)
    const response = await get(`/healthz?${'x'.repeat(2_048)}`)
    deepEqual([response.status, codeOf(response)], [400, 'malformed_request'])
  })

  test('headers of more than 16 KiB are 431', async () => {
    equal((await get('/healthz', `X: ${'x'.repeat(14_000)}`)).status, 200)
    assertBroken(await get('/healthz', `X: ${'x'.repeat(17_000)}`), [431])
    assertBroken(await get('/healthz', ...Array.from({ length: 3_000 }, (_, n) => `X${n}: y`)), [431])
  })

  test('a body in chunks that grows over 64 KiB is 413, and the connection closed', async () => {
    const token = service.demo.access_token
    const head = [
      `POST /api/${service.demo.business_id}/checkout/create HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
    ]
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`
    const bytes = [...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', chunk.repeat(9)].join(
      '\r\n',
    )
    const response = await exchange(service.url, bytes)
    deepEqual([response.status, response.closed, codeOf(response)], [413, true, 'body_too_large'])
  })

  test('a path parameter of any length is an unknown path', async () => {
    for (const length of [65, 101, 1_500]) {
      const response = await get(`/api/checkout/${'a'.repeat(length)}`)
      deepEqual([response.status, codeOf(response)], [404, 'not_found'])
      ok(response.headers['request-id'])
    }
  })
})

describe('Methods (FLT-75)', () => {
  for (const method of ['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY']) {
    test(`${method} on a path that has another is 405 with Allow`, async () => {
      const response = await send(`${method} /healthz HTTP/1.1`, 'Host: x', 'X-Echo: secret')
      equal(response.status, 405, response.text)
      equal(response.headers.allow, 'GET, HEAD')
      ok(!response.body.includes('secret'))
    })
  }

  test('the path comes before the body: a broken body on a wrong path is a 404', async () => {
    for (const [target, status] of [
      ['/healthz', 405],
      ['/nowhere', 404],
      ['/api/v1/nowhere', 404],
    ] as const) {
      for (const type of ['application/json', 'text/plain']) {
        const response = await send(
          `POST ${target} HTTP/1.1`,
          'Host: x',
          `Content-Type: ${type}`,
          'Content-Length: 1',
          '',
          '{',
        )
        equal(response.status, status, response.text)
      }
    }
  })

  test('CONNECT opens no tunnel', async () => {
    const response = await send('CONNECT example.com:443 HTTP/1.1', 'Host: example.com')
    ok(response.status !== 200 && response.closed)
  })

  test('no upgrade happens', async () => {
    const response = await get('/healthz', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13')
    equal(response.status, 200)
  })

  for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
    test(`${header} changes nothing`, async () => {
      equal((await get('/healthz', `${header}: DELETE`)).status, 200)
      equal((await send('POST /healthz HTTP/1.1', 'Host: x', `${header}: GET`, 'Content-Length: 0')).status, 405)
    })
  }
})

describe('Paths that climb (FLT-72)', () => {
  const climbs = '.. %2e%2e ..%2f..%2f %2e%2e%2f..%5c ....// ..\\..\\ %00 %252e%252e .%00./ %c0%ae%c0%ae ..;'.split(' ')
  for (const climb of climbs) {
    test(`${climb} leads nowhere`, async () => {
      for (const start of ['/assets/', '/assets/form.test.js/', '/customer/', '/customer/checkout/', '/']) {
        for (const end of ['/etc/passwd', '/package.json', 'server/main.ts']) {
          const response = await exchange(service.formUrl, `GET ${start}${climb}${end} HTTP/1.1\r\nHost: x\r\n\r\n`)
          ok([400, 404].includes(response.status), `${start}${climb}${end}: ${response.status}`)
          ok(!/root:|"version"|import /.test(response.body))
          equal(response.headers['x-content-type-options'], 'nosniff')
        }
      }
    })
  }

  test('the script itself is there', async () => {
    equal((await exchange(service.formUrl, 'GET /assets/form.test.js HTTP/1.1\r\nHost: x\r\n\r\n')).status, 200)
  })

  test('a URL that cannot be decoded is 404, with the headers of every response', async () => {
    for (const url of [service.url, service.formUrl]) {
      const response = await exchange(url, 'GET /customer/checkout/%zz HTTP/1.1\r\nHost: x\r\n\r\n')
      equal(response.status, 404)
      ok(response.headers['request-id'])
      equal(response.headers['cache-control'], 'no-store')
    }
  })
})

describe('Links are built from the configuration, never from a request (ATT-59)', () => {
  test('Host and X-Forwarded-Host of the caller appear nowhere', async () => {
    const { demo } = service
    const body = JSON.stringify({
      amount_total: 5,
      customer_email: 'ana@example.com',
      success_url: 'https://shop.example/a',
      cancel_url: 'https://shop.example/b',
    })
    const response = await exchange(
      service.url,
      [
        `POST /api/${demo.business_id}/checkout/create HTTP/1.1`,
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-Proto: https',
        'Forwarded: host=evil.example;proto=https',
        `Authorization: Bearer ${demo.access_token}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    )
    equal(response.status, 200)
    ok(!response.text.includes('evil'))
    ok(JSON.parse(response.body).checkout_session.checkout_url.startsWith(`${service.formUrl}/customer/checkout/`))
  })

  test('nor in the page of a session', async () => {
    const token = await merchantOf(service).sessionToken()
    const headers = 'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nReferer: https://evil.example/'
    const response = await exchange(service.formUrl, `GET /customer/checkout/${token} HTTP/1.1\r\n${headers}\r\n\r\n`)
    equal(response.status, 200)
    ok(!response.text.includes('evil'))
  })
})

describe('Line breaks in URLs of a merchant (FLT-73)', () => {
  test('are refused in plain form, and stay encoded when sent encoded', async () => {
    const merchant = merchantOf(service)
    const raw = await merchant.createSession({ success_url: 'https://shop.example/\r\nSet-Cookie: a=b' })
    equal(raw.status, 422)

    const encoded = 'https://shop.example/a%0d%0aSet-Cookie:%20a=b?x=%0d%0ay'
    const token = await merchant.sessionToken({ success_url: encoded, cancel_url: encoded })
    const page = await fetch(`${service.formUrl}/customer/checkout/${token}`, { signal: AbortSignal.timeout(10_000) })
    equal(page.status, 200)
    equal(page.headers.get('set-cookie'), null)
    match(await page.text(), /shop\.example\/a%0d%0aSet-Cookie/i)
  })
})
