import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { deliveryTimings } from '../../server/events/delivery/delivery.ts'
import { until } from '../support/until.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { openWebhookWorld, type WebhookWorld } from '../support/webhook-world.ts'

// EVT-8, EVT-10: receivers that misbehave. Each second is scaled to a tenth of a second.

const timings = { ...deliveryTimings(0.1), pollMs: 50 }
/** Key and certificate of `localhost`, used only here. */
const SELF_SIGNED = readFileSync(new URL('../data/self-signed.pem', import.meta.url))
const MEGABYTE = Buffer.alloc(1_000_000, 'x')

interface Misbehaviour {
  name: string
  respond: (response: ServerResponse) => void
  expected: { status: number | null; body?: string | RegExp | null; error?: RegExp; outcome: 'succeeded' | 'pending' }
}

const MISBEHAVIOURS: Misbehaviour[] = [
  {
    name: 'never responds',
    respond: () => {},
    expected: { status: null, error: /^No response in time$/, outcome: 'pending' },
  },
  {
    name: 'responds with a status and never ends the body',
    respond: (response) => void response.writeHead(200).write('so far'),
    expected: { status: 200, body: '', outcome: 'succeeded' },
  },
  {
    name: 'responds after the end of time',
    respond: (response) => void setTimeout(() => response.end('late'), 1_300),
    expected: { status: null, error: /^No response in time$/, outcome: 'pending' },
  },
  {
    name: 'responds with 16 KB and more',
    respond: (response) => response.end(MEGABYTE),
    expected: { status: 200, body: '', outcome: 'succeeded' },
  },
  {
    name: 'never stops sending',
    respond(response) {
      response.writeHead(500)
      const more = () => {
        while (!response.destroyed && response.write(MEGABYTE));
      }
      response.on('drain', more)
      more()
    },
    expected: { status: 500, body: /^x{1024}…$/, outcome: 'pending' },
  },
  {
    name: 'responds with a decompression bomb',
    respond: (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
    expected: { status: 200, body: '', outcome: 'succeeded' },
  },
  {
    name: 'responds with NUL and bytes that are not UTF-8',
    respond: (response) => response.writeHead(400).end(Buffer.from([0x61, 0, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0x62])),
    expected: { status: 400, body: /^a\uFFFD{6}b$/, outcome: 'pending' },
  },
  {
    name: 'closes the connection',
    respond: (response) => void response.socket?.destroy(),
    expected: { status: null, error: /^The connection was closed before a response came$/, outcome: 'pending' },
  },
  {
    name: 'resets the connection',
    respond: (response) => void response.socket?.resetAndDestroy(),
    expected: { status: null, error: /^The connection was closed before a response came$/, outcome: 'pending' },
  },
  {
    name: 'does not speak HTTP',
    respond: (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: { status: null, error: /^The response is not valid HTTP$/, outcome: 'pending' },
  },
  {
    name: 'responds with endless headers',
    respond: (response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`),
    expected: { status: null, error: /^The headers of the response are too long$/, outcome: 'pending' },
  },
  {
    name: 'responds with early hints first',
    respond: (response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeHead(204).end()
    },
    expected: { status: 204, body: '', outcome: 'succeeded' },
  },
  {
    name: 'switches protocols',
    respond: (response) =>
      void response.socket?.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    expected: { status: null, error: /./, outcome: 'pending' },
  },
]

describe('A receiver that', () => {
  let world: WebhookWorld
  before(async () => {
    world = await openWebhookWorld({ timings })
    world.start()
  })
  after(() => world[Symbol.asyncDispose]())

  /** Makes the first attempt of an event that only this URL receives. */
  async function attempt(url: string) {
    const businessId = await world.business()
    await world.endpoint(url, { businessId })
    const [eventId] = await world.record(1, { businessId })
    return until('the attempt is recorded', async () => {
      const text = `select a.response_status as status, a.response_body as body, a.error, a.duration_ms as ms, d.status as outcome
        from webhook_attempt a join webhook_delivery d using (business_id, event_id, endpoint_id)
        where event_id = $1 and number = 1`
      return (await world.query(text, [eventId]))[0]
    })
  }

  for (const { name, respond, expected } of MISBEHAVIOURS) {
    test(name, async () => {
      await using receiver = await openReceiver(respond)
      const { status, body, error, ms, outcome } = await attempt(receiver.url)
      equal(status, expected.status)
      equal(outcome, expected.outcome)
      if (expected.body instanceof RegExp) match(body, expected.body)
      else equal(body, expected.body ?? null)
      if (expected.error) match(error, expected.error)
      else equal(error, null)
      ok(ms < 2_500, `${ms} ms`)
    })
  }

  test('redirects is not followed, wherever to', async () => {
    await using target = await openReceiver()
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of [target.url, 'http://169.254.169.254/latest/meta-data/', '//evil.example']) {
        await using receiver = await openReceiver((response) => response.writeHead(status, { location }).end())
        const made = await attempt(receiver.url)
        deepEqual([made.status, made.outcome], [status, 'pending'])
        equal(receiver.received.length, 1)
      }
    }
    equal(target.received.length, 0)
  })

  test('has a certificate that nobody has signed is refused', async () => {
    const server = createTlsServer({ key: SELF_SIGNED, cert: SELF_SIGNED }, (_, response) => response.end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const made = await attempt(`https://localhost:${(server.address() as AddressInfo).port}/`)
    server.close()
    equal(made.status, null)
    match(
      made.error,
      /^The connection failed: (?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_HAS_EXPIRED)$/,
    )
  })

  test('does not speak TLS is refused', async () => {
    await using receiver = await openReceiver()
    const made = await attempt(receiver.url.replace('http:', 'https:').replace('127.0.0.1', 'localhost'))
    equal(made.status, null)
    match(made.error, /^The connection failed: /)
  })

  test('is not there is refused', async () => {
    const receiver = await openReceiver()
    await receiver.close()
    match((await attempt(receiver.url)).error, /^The connection was refused$/)
  })

  test('accepts connections and nothing else is left in time', async () => {
    const server = createTcpServer(() => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const made = await attempt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    server.close()
    match(made.error, /^No response in time$/)
  })
})
