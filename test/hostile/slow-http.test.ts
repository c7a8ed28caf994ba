import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import Type from 'typebox'
import { PUBLIC_PATHS } from '../../server/http/family.ts'
import { publicAccess, route } from '../../server/http/route.ts'
import { createServer } from '../../server/http/server.ts'
import { TIMEOUTS } from '../../server/lib/http-connections.ts'
import { exchange } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

// FLT-61: slow clients are disconnected, whoever else is served. The limits are the product's, shortened.

const SHORT = { headersMs: 300, requestMs: 600, idleMs: 15_000, lookEveryMs: 100, firstByteMs: 2_000, unreadMs: 700 }
/** Longer than each of them; a server without limits is silent for this long. */
const WAIT = { waitMs: 6_000 }
const LONG_ANSWER = 'x'.repeat(30_000_000)

let app: FastifyInstance
let url: string

before(async () => {
  const shared = { family: PUBLIC_PATHS, access: publicAccess, browsers: 'anywhere' as const }
  const routes = [
    route({ ...shared, method: 'POST', path: '/echo', body: Type.Object({}), handle: () => ({ body: { ok: true } }) }),
    route({ ...shared, method: 'GET', path: '/long', handle: () => ({ body: LONG_ANSWER }) }),
  ]
  const log = pino({ enabled: false })
  app = createServer({ routes, log, trustedProxies: [], formOrigin: 'https://form.example', timeouts: SHORT })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
})
after(() => app.close())

const HEAD = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

describe('A slow sender is cut off (FLT-61)', () => {
  test('after 5 s to the first byte, 10 s for the headers, 20 s in all, or a response unread for 20 s', () => {
    const { headersMs, requestMs, firstByteMs, unreadMs, lookEveryMs } = TIMEOUTS
    deepEqual([firstByteMs, headersMs, requestMs, unreadMs], [5_000, 10_000, 20_000, 20_000])
    equal(lookEveryMs, 2_000)
  })

  const slow: Record<string, { bytes: string; piece: string }> = {
    'headers that never end': { bytes: 'GET /long HTTP/1.1\r\nHost: x\r\n', piece: 'X: y\r\n' },
    'a first line that never ends': { bytes: 'GET /', piece: 'a' },
    'a body that never ends': { bytes: `${HEAD}Content-Length: 60000\r\n\r\n{"a":"`, piece: 'a' },
    'chunks that never end': { bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, piece: '1\r\n \r\n' },
  }
  for (const [name, { bytes, piece }] of Object.entries(slow)) {
    test(`with ${name}: 408 in our envelope, and the connection is closed though it goes on sending`, async () => {
      const response = await exchange(url, bytes, { ...WAIT, drip: { piece, everyMs: 50 } })
      deepEqual([response.status, response.closed], [408, true], response.text)
      equal(JSON.parse(response.body).code, 'request_timeout')
      ok(!response.text.includes('three_ds'), 'not the 408 of 3-D Secure')
    })
  }

  test('that opens a connection and sends nothing', async () => {
    const response = await exchange(url, '', WAIT)
    equal(response.closed, true)
    ok(response.milliseconds < SHORT.idleMs, `${response.milliseconds} ms`)
  })

  test('that does not read its response', async () => {
    // A client that reads nothing does not notice that it was disconnected: the server is queried while its socket is
    // still open.
    const deaf = exchange(url, 'GET /long HTTP/1.1\r\nHost: x\r\n\r\n', { waitMs: 12_000, deaf: true })
    await until('the response is being sent', async () => (await connections()) > 0)
    const cutOff = await Promise.race([deaf, until('it is cut off', async () => (await connections()) === 0)])
    equal(cutOff, true)
    await deaf
  })

  test('and a hundred of them keep nobody else waiting', async () => {
    const drip = { piece: 'X: y\r\n', everyMs: 50 }
    const senders = Array.from({ length: 100 }, () => exchange(url, 'GET / HTTP/1.1\r\nHost: x\r\n', { ...WAIT, drip }))
    const fast = await exchange(url, `${HEAD}Content-Length: 2\r\n\r\n{}`, WAIT)
    equal(fast.status, 200)
    const responses = await Promise.all(senders)
    deepEqual(new Set(responses.map(({ closed }) => closed)), new Set([true]))
    await until('nothing is left', async () => (await connections()) === 0)
  })
})

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
