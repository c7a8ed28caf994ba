import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { type FakeResponse, refusal } from '../test/support/fake-fetch.ts'
import { BASE, clientOf, ID, KEY, RESET } from '../test/support/sdk-client.ts'
import { ConnectionError, RateLimitError, RialtoError, TimeoutError } from './errors.ts'
import { Rialto } from './rialto.ts'

const OVERLOADED = refusal(503, 'api_error', 'unavailable')
const LIMITED = { ...refusal(429, 'rate_limit_error', 'rate_limit_exceeded'), headers: { 'retry-after': '0' } }

describe('Retries', { concurrency: true }, () => {
  const once = { maxRetries: 1 }
  const lost = [RESET, { body: { id: ID } }]

  for (const [name, call] of [
    ['GET', (rialto: Rialto) => rialto.products.retrieve(ID, once)],
    ['PATCH', (rialto: Rialto) => rialto.products.update(ID, { name: 'Plan' }, once)],
    ['DELETE of a payment method', (rialto: Rialto) => rialto.paymentMethods.detach(ID, once)],
    ['POST of a customer with an e-mail', (rialto: Rialto) => rialto.customers.create({ email: 'a@b.example' }, once)],
  ] as const) {
    for (const [happening, responses] of [
      ['a lost connection', lost],
      ['503', [OVERLOADED, lost[1] as FakeResponse]],
      ["a proxy's 502", [{ status: 502, body: '<h1>Bad Gateway</h1>' }, lost[1] as FakeResponse]],
    ] as const) {
      test(`${name} is sent again after ${happening}`, async () => {
        const { rialto, sent } = clientOf([...responses])

        await call(rialto)

        equal(sent.length, 2)
        deepEqual(sent[1], sent[0])
      })
    }
  }

  for (const [name, call] of [
    ['POST of a product', (rialto: Rialto) => rialto.products.create({ name: 'Plan' }, { maxRetries: 5 })],
    ['POST of a price', (rialto: Rialto) => rialto.prices.create({ product: ID, unit_amount: 1 }, { maxRetries: 5 })],
    [
      'POST of a customer without e-mail',
      (rialto: Rialto) => rialto.customers.create({ name: 'A' }, { maxRetries: 5 }),
    ],
  ] as const) {
    for (const [happening, response] of [
      ['a lost connection', RESET],
      ['silence', 'silence'],
      ['503', OVERLOADED],
      ["a proxy's 502", { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ] as const satisfies [string, FakeResponse][]) {
      test(`${name} is never sent again after ${happening}: it may have been processed`, async () => {
        const { rialto, sent } = clientOf([response, { body: { id: ID } }], { timeoutMs: 20 })

        await rejects(call(rialto), RialtoError)

        equal(sent.length, 1)
      })
    }

    test(`${name} is sent again after 429, which refused it before anything was done`, async () => {
      const { rialto, sent } = clientOf([LIMITED, { body: { id: ID } }])

      await call(rialto)

      equal(sent.length, 2)
    })
  }

  for (const [status, type, code] of [
    [401, 'authentication_error', 'invalid_api_key'],
    [404, 'invalid_request_error', 'resource_missing'],
    [409, 'conflict_error', 'conflict'],
    [422, 'validation_error', 'parameter_invalid'],
    [500, 'api_error', 'internal_error'],
  ] as const) {
    test(`${status} is a response: nothing is sent again`, async () => {
      const { rialto, sent } = clientOf([refusal(status, type, code)])

      await rejects(rialto.products.retrieve(ID), { status, type, code })

      equal(sent.length, 1)
    })
  }

  test('are two by default, and the last error is thrown', async () => {
    const { rialto, sent } = clientOf([RESET, RESET, OVERLOADED, { body: { id: ID } }])

    await rejects(rialto.products.retrieve(ID), { name: 'ApiError', code: 'unavailable', status: 503 })

    equal(sent.length, 3)
  })

  test('do not wait for a Retry-After of more than a minute', async () => {
    const { rialto, sent } = clientOf([{ ...LIMITED, headers: { 'retry-after': '61' } }])

    await rejects(rialto.products.retrieve(ID), (error) => error instanceof RateLimitError && error.retryAfter === 61)

    equal(sent.length, 1)
  })

  test('end when the signal is aborted, with its reason', async () => {
    const { rialto, sent } = clientOf([{ ...LIMITED, headers: { 'retry-after': '30' } }])
    const stop = new AbortController()

    const response = rialto.products.retrieve(ID, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('shutting down')), 20)

    await rejects(response, /shutting down/)
    equal(sent.length, 1)
  })
})

describe('Waiting for a response', () => {
  test('ends after timeoutMs with a TimeoutError', async () => {
    const { rialto } = clientOf(['silence'], { timeoutMs: 10_000 })

    const error = await rialto.products.retrieve(ID, { timeoutMs: 15, maxRetries: 0 }).catch((thrown) => thrown)

    ok(error instanceof TimeoutError && error instanceof ConnectionError)
    match(error.message, /15 ms/)
    equal(error.status, null)
  })

  test('counts until the last byte of the response', async () => {
    const fetch = async (_url: string, { signal }: RequestInit) =>
      new Response(
        new ReadableStream({ start: (body) => signal?.addEventListener('abort', () => body.error(signal.reason)) }),
      )
    const rialto = new Rialto({ apiKey: KEY, baseUrl: BASE, fetch, timeoutMs: 15, maxRetries: 0 })

    await rejects(rialto.products.retrieve(ID), { name: 'TimeoutError', code: 'timeout' })
  })

  test('ends when the signal is aborted, with its reason', async () => {
    const { rialto, sent } = clientOf(['silence'])

    const stopped = { signal: AbortSignal.timeout(15), maxRetries: 0 }
    await rejects(rialto.products.retrieve(ID, stopped), { name: 'TimeoutError', code: 23 })
    await rejects(rialto.products.retrieve(ID, { signal: AbortSignal.abort(new Error('before')) }), /before/)

    equal(sent.length, 1)
  })

  test('ends with the response: no timer keeps the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const { rialto } = clientOf([{ body: { id: ID } }])
    const before = timers()

    await rialto.products.retrieve(ID)

    equal(timers(), before)
  })

  test('that fails at once is a ConnectionError with the reason', async () => {
    const { rialto } = clientOf([RESET], { maxRetries: 0 })

    const error = await rialto.products.retrieve(ID).catch((thrown) => thrown)

    ok(error instanceof ConnectionError)
    notEqual(error.name, 'TimeoutError')
    match(error.message, /ECONNRESET/)
    equal(error.cause, RESET)
  })
})

describe('Over real connections', () => {
  test('a redirect is not followed: the key is sent nowhere else', async () => {
    await using far = await farEnd(({ url = '' }, response) =>
      response.writeHead(302, { location: `/stolen${url}` }).end(),
    )

    await rejects(far.rialto.account.retrieve(), { code: 'redirect_refused', status: 302 })

    deepEqual(far.received, ['GET /api/v1/account'])
  })

  test('a create whose connection is lost is sent once', async () => {
    await using far = await farEnd(({ socket }) => socket.destroy())

    await rejects(far.rialto.products.create({ name: 'Plan' }), { name: 'ConnectionError', code: 'connection_failed' })

    deepEqual(far.received, ['POST /api/v1/products'])
  })
})

async function farEnd(listener: RequestListener) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  }
  return { rialto: new Rialto({ apiKey: KEY, baseUrl }), received, [Symbol.asyncDispose]: close }
}
