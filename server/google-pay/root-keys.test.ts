import { deepEqual, equal, match } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { stillClock } from '../../test/support/still-clock.ts'
import { until } from '../../test/support/until.ts'
import { fetchedRootKeys, type RootKeys, simulatedRootKeys } from './root-keys.ts'
import vectors from './vectors.json' with { type: 'json' }

// GPY-3: the source of the keys with which all tokens are signed.

const START = '2026-11-22T12:00:00Z'
const DAY = 86_400
const clock = stillClock(START)
const inDays = (days: number) => String(Date.parse(START) + days * DAY * 1_000)
const key = (keyExpiration: string | undefined, more: object = {}) => ({
  keyValue: vectors.keys.rootEcv2Public,
  protocolVersion: 'ECv2',
  keyExpiration,
  ...more,
})

let server: Server
let url: string
let calls = 0
let respond: RequestListener
before(async () => {
  server = createServer((request, response) => {
    calls += 1
    respond(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys.json`
})
after(() => server.close())

let lines: string[]
let rootKeys: RootKeys
beforeEach(() => {
  clock.set(START)
  calls = 0
  lines = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  rootKeys = fetchedRootKeys({ url, clock, log })
})

const json = (
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) =>
  ((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }) satisfies RequestListener

const count = async () => (await rootKeys.current()).length

describe("Google's root keys", () => {
  test('are fetched when they are first needed, once for parallel calls, and kept', async () => {
    respond = json({ keys: [key(inDays(100))] })
    equal(calls, 0)
    deepEqual(await Promise.all([count(), count(), count()]), [1, 1, 1])
    clock.advance(4 * DAY)
    equal(await count(), 1)
    equal(calls, 1)
  })

  test('are those of ECv2 that are current and on the curve', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey
    respond = json({
      keys: [
        key(inDays(1)),
        key(inDays(-1)),
        key(inDays(0)),
        key(undefined),
        key('soon'),
        key(inDays(1), { protocolVersion: 'ECv1' }),
        key(inDays(1), { protocolVersion: 'ECv2SigningOnly' }),
        key(inDays(1), { keyValue: 'AAAA' }),
        key(inDays(1), { keyValue: other.export({ format: 'der', type: 'spki' }).toString('base64') }),
        key(inDays(2), { more: 1 }),
      ],
      more: 1,
    })
    equal(await count(), 2)
    clock.advance(DAY)
    equal(await count(), 1)
  })

  test('are fetched again sooner when a cache has kept the response: `Age` is a part of `max-age`', async () => {
    respond = json({ keys: [key(inDays(100))] }, { headers: { 'cache-control': 'max-age=10000', age: '9000' } })
    await count()
    clock.advance(600)
    await count()
    equal(calls, 1)
    clock.advance(250)
    await count()
    await until('they are fetched again', () => calls === 2)
  })

  test('are fetched again in the background after part of their age', async () => {
    respond = json(
      { keys: [key(inDays(100))] },
      { headers: { 'cache-control': 'public, max-age=1000, must-revalidate' } },
    )
    await count()
    clock.advance(600)
    await count()
    equal(calls, 1)
    respond = json({ keys: [key(inDays(100)), key(inDays(101))] })
    clock.advance(250)
    equal(await count(), 1)
    await until('the new keys are there', async () => (await count()) === 2)
    equal(calls, 2)
  })

  test('stay as long as they are current when they cannot be fetched again', async () => {
    respond = json({ keys: [key(inDays(10))] })
    await count()
    respond = json('', { status: 503 })
    clock.advance(6 * DAY)
    for (let failures = 1; failures <= 5; failures += 1) {
      equal(await count(), 1)
      await until('the failure is noted', () => lines.length === failures)
      clock.advance(2 * 3_600)
    }
    match(lines.join(''), /could not be fetched/)
    clock.advance(4 * DAY)
    equal(await count(), 0)
  })

  test('are none after a failure, and are tried again further and further apart', async () => {
    respond = json('', { status: 500 })
    equal(await count(), 0)
    equal(await count(), 0)
    equal(calls, 1)
    for (let minutes = 0; minutes < 5 * 60; minutes += 1) {
      clock.advance(60)
      equal(await count(), 0)
    }
    equal(calls > 8 && calls < 20, true, `${calls} calls`)
    respond = json({ keys: [key(inDays(10))] })
    clock.advance(3_600)
    equal(await count(), 1)
  })

  const WRONG: [string, RequestListener][] = [
    ['a redirect', json('', { status: 302, headers: { location: '/other.json' } })],
    ['another status', json({ keys: [key(inDays(1))] }, { status: 201 })],
    ['a body that is not JSON', json('<html>')],
    ['another shape', json({ keys: { keyValue: 'x' } })],
    ['a wrong type', json({ keys: [key(inDays(1), { keyExpiration: 5 })] })],
    ['no key', json({ keys: [] })],
    ['no current key', json({ keys: [key(inDays(-1))] })],
    ['a body that is too long', json(JSON.stringify({ keys: [key(inDays(1))], more: 'x'.repeat(70_000) }))],
    ['no response', (request) => request.socket.destroy()],
  ]
  for (const [name, listener] of WRONG) {
    test(`are none with ${name}`, async () => {
      respond = listener
      equal(await count(), 0)
      equal(calls, 1)
      match(lines.join(''), /could not be fetched/)
    })
  }

  test('are bounded in number, because each signature is verified with each', async () => {
    respond = json({ keys: Array.from({ length: 50 }, () => key(inDays(1))) })
    equal(await count(), 20)
  })

  test('a fetch ends when the service stops', async () => {
    respond = () => {}
    const counted = count()
    await until('the fetch has begun', () => calls === 1)
    rootKeys.close()
    equal(await counted, 0)
    clock.advance(DAY)
    equal(await count(), 0)
    equal(calls, 1)
  })

  test('of the simulated wallet is the published test key alone', async () => {
    const [only, ...others] = await simulatedRootKeys().current()
    const spki = only?.export({ format: 'der', type: 'spki' }).toString('base64')
    deepEqual([spki, others], [vectors.keys.rootEcv2Public, []])
  })
})
