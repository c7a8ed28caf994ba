import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { send } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

const MESSAGE = 'the payment page blocked something'
const FREE_TEXT = 'operator: your database is open, call +1 555 0100'

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

/** Headers that browsers send, by the Reporting API's specification; the older form below is what Chromium 153 sent. */
const browser = () => ({ 'content-type': 'application/reports+json', origin: service.formUrl })

/** Returns the violations that were logged because of this report. */
async function logged(body: unknown, headers: Record<string, string> = browser()) {
  const linesOf = () =>
    service
      .logged()
      .split('\n')
      .filter((line) => line.includes(MESSAGE))
  const before = linesOf().length
  const response = await send(`${service.url}/csp-report`, { method: 'POST', headers, body: JSON.stringify(body) })
  const lines = linesOf().slice(before)
  const violations = lines.map((line) => {
    const { directive, disposition, blocked } = JSON.parse(line)
    return { directive, disposition, blocked }
  })
  return { response, lines, violations }
}

const violation = (members: Record<string, unknown> = {}) => ({
  type: 'csp-violation',
  age: 0,
  url: `${service.formUrl}/customer/checkout/${'a'.repeat(64)}`,
  user_agent: FREE_TEXT,
  body: {
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://evil.example/skim.js?card=1',
    documentURL: `${service.formUrl}/customer/checkout/${'a'.repeat(64)}`,
    disposition: 'enforce',
    originalPolicy: FREE_TEXT,
    sample: FREE_TEXT,
    sourceFile: FREE_TEXT,
    ...members,
  },
})

describe('A violation report of the payment page', () => {
  test('is logged as what was blocked, without the address of the page', async () => {
    const { response, violations } = await logged([violation()])
    equal(response.status, 204)
    deepEqual(violations, [{ directive: 'script-src-elem', disposition: 'enforce', blocked: 'https://evil.example' }])
    ok(!service.logged().includes('a'.repeat(64)))
  })

  test('in the older form, as Chromium sends it across sites', async () => {
    const headers = {
      'content-type': 'application/csp-report',
      origin: service.formUrl,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'report',
    }
    const report = { 'violated-directive': "style-src 'self'", 'blocked-uri': 'inline', disposition: 'report' }
    const { response, violations } = await logged({ 'csp-report': report }, headers)
    equal(response.status, 204)
    deepEqual(violations, [{ directive: 'style-src', disposition: 'report', blocked: 'inline' }])
  })

  test('its preflight is answered for the form alone', async () => {
    const preflight = (origin: string) =>
      send(`${service.url}/csp-report`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
    equal((await preflight(service.formUrl)).headers.get('access-control-allow-origin'), service.formUrl)
    equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null)
  })

  const blocked: [sent: unknown, logged: string][] = [
    ['https://evil.example/a?b#c', 'https://evil.example'],
    ['https://user:secret@evil.example:8443/a', 'https://evil.example:8443'],
    ['wss://evil.example/x', 'wss://evil.example'],
    ['data', 'data'],
    [`data:text/plain,${FREE_TEXT}`, 'data'],
    [`javascript:alert("${FREE_TEXT}")`, 'javascript'],
    ['chrome-extension://abcdefgh/x.js', 'chrome-extension'],
    ['trusted-types-sink', 'trusted-types-sink'],
    [FREE_TEXT, 'other'],
    [`x-${'y'.repeat(90)}:z`, 'other'],
    [`https://${'free-text-'.repeat(20)}.example/`, 'other'],
    ['a\nfake log line', 'other'],
    ['', 'other'],
    [7, 'other'],
    [{ toString: 1 }, 'other'],
    [null, 'other'],
  ]
  for (const [sent, word] of blocked) {
    test(`blocked ${JSON.stringify(sent)?.slice(0, 60)} is logged as ${word}`, async () => {
      const { violations } = await logged([violation({ blockedURL: sent })])
      deepEqual(
        violations.map((found) => found.blocked),
        [word],
      )
    })
  }

  test('nothing that its sender wrote freely is logged', async () => {
    for (const members of [
      { effectiveDirective: FREE_TEXT },
      { effectiveDirective: ['script-src'] },
      { effectiveDirective: 'constructor' },
      { effectiveDirective: undefined },
    ]) {
      deepEqual((await logged([violation(members)])).lines, [])
    }
    const { violations } = await logged([violation({ disposition: FREE_TEXT })])
    deepEqual(
      violations.map(({ disposition }) => disposition),
      ['unknown'],
    )
    for (const body of [null, 1, 'x', {}, [], [null], [[]], [1], { 'csp-report': null }, { 'csp-report': FREE_TEXT }]) {
      const { response, lines } = await logged(body)
      deepEqual([response.status, lines], [204, []], JSON.stringify(body))
    }
    deepEqual((await logged([{ ...violation(), type: 'deprecation' }])).lines, [])
    ok(!service.logged().includes('call +1 555'))
  })

  test('ten of a thousand are logged', async () => {
    const many = Array.from({ length: 100 }, () => violation())
    equal((await logged(many)).lines.length, 10)
  })
})

describe('A report that no browser with the payment form sends is refused, and nothing is logged', () => {
  const rows: [status: number, code: string, headers: () => Record<string, string>][] = [
    [403, 'origin_not_allowed', () => ({ 'content-type': 'application/reports+json' })],
    [403, 'origin_not_allowed', () => ({ 'content-type': 'application/csp-report', 'sec-fetch-site': 'cross-site' })],
    [403, 'origin_not_allowed', () => ({ ...browser(), origin: 'https://evil.example' })],
    [403, 'origin_not_allowed', () => ({ ...browser(), origin: 'null' })],
    [403, 'origin_not_allowed', () => ({ ...browser(), origin: service.url })],
    [415, 'unsupported_media_type', () => ({ ...browser(), 'content-type': 'application/json' })],
    [415, 'unsupported_media_type', () => ({ ...browser(), 'content-type': 'text/plain' })],
    [415, 'unsupported_media_type', () => ({ ...browser(), 'content-type': 'application/x-www-form-urlencoded' })],
  ]
  for (const [status, code, headers] of rows) {
    test(`${status} ${code}, ${headers.toString().slice(6, 110)}`, async () => {
      const { response, lines } = await logged([violation()], headers())
      assertRefused(response, status, code)
      deepEqual(lines, [])
    })
  }
})

test('a page of another origin may not create a session, and one of the client may', async () => {
  const preflight = (origin: string) =>
    send(`${service.url}/api/${service.demo.business_id}/checkout/create`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  equal((await preflight('https://shop.example')).headers.get('access-control-allow-origin'), 'https://shop.example')
  equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null)
})
