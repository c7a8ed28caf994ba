import { deepEqual, equal } from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Agent, buildConnector } from 'undici'
import { freePort } from '../../test/support/free-ports.ts'
import { type PostRequest, postOnce } from './http-exchange.ts'

// The server is a bare TCP listener, so that a test controls every byte and the end of every connection.

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

describe('postOnce', () => {
  let agent: Agent
  let server: Server
  let sockets: Socket[]
  let requestsSeen: number
  let onRequest: (socket: Socket, count: number) => void

  before(async () => {
    agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, pipelining: 1, allowH2: false })
    sockets = []
    server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.on('data', () => {
        requestsSeen += 1
        onRequest(socket, requestsSeen)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    await agent.destroy()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  function post(response: typeof onRequest, change: Partial<PostRequest> = {}) {
    onRequest = response
    requestsSeen = 0
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(5_000)
    return postOnce(agent, { origin: origin(), path: '/', headers, body: '{"some":"thing"}', signal, ...change })
  }

  test('any complete response is a response, whatever its status', async () => {
    deepEqual(await post((socket) => socket.write(OK)), { kind: 'response', status: 200, body: '{}' })
    const redirect = 'HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'
    deepEqual(await post((socket) => socket.write(redirect)), { kind: 'response', status: 307, body: '' })
    equal(requestsSeen, 1, 'a redirect is not followed')
  })

  test('a reset on a reused socket is no_response, and the request is not retried', async () => {
    await post((socket) => socket.write(OK))
    const socketsBefore = sockets.length
    const { kind } = await post((socket) => socket.resetAndDestroy())
    equal(kind, 'no_response')
    equal(requestsSeen, 1)
    equal(sockets.length, socketsBefore, 'the socket was reused')
  })

  const broken: [name: string, bytes: string][] = [
    ['a connection closed without a byte', ''],
    ['a truncated status line', 'HTTP/1.1 200 O'],
    ['a truncated body', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"outcome"'],
    ['a response that is not HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['a response above the size limit', `HTTP/1.1 200 OK\r\ncontent-length: 900000\r\n\r\n${'x'.repeat(300_000)}`],
  ]
  for (const [name, bytes] of broken) {
    test(`${name} is no_response`, async () => {
      equal((await post((socket) => socket.end(bytes))).kind, 'no_response')
      equal(requestsSeen, 1)
    })
  }

  test('the signal ends the wait for a response', async () => {
    equal((await post(() => {}, { signal: AbortSignal.timeout(50) })).kind, 'no_response')
  })

  test('a refused connection is not_sent', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    equal((await post(() => {}, { origin: nobody })).kind, 'not_sent')
  })

  test('a failed TLS handshake is not_sent', async () => {
    const response = await post((socket) => socket.end('not TLS'), { origin: origin().replace('http', 'https') })
    equal(response.kind, 'not_sent')
  })

  test('a failed DNS lookup and a connect timeout are not_sent', async () => {
    for (const code of ['ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT']) {
      const failing = new Agent({
        connect: (_options, callback) => callback(Object.assign(new Error('no connection'), { code }), null),
      })
      const signal = AbortSignal.timeout(5_000)
      const request = { origin: 'http://gateway.invalid', path: '/', headers: {}, body: '{}', signal }
      deepEqual(await postOnce(failing, request), { kind: 'not_sent', message: code })
      await failing.destroy()
    }
  })

  test('a request on a closed agent is not_sent', async () => {
    const closed = new Agent()
    await closed.destroy()
    const request = { origin: origin(), path: '/', headers: {}, body: '{}', signal: AbortSignal.timeout(5_000) }
    equal((await postOnce(closed, request)).kind, 'not_sent')
  })

  test('a signal that fires while connecting is not_sent, and nothing is sent later', async () => {
    const { promise: connected, resolve } = Promise.withResolvers<void>()
    let connect: () => void = () => {}
    const slow = new Agent({
      connect: (_options, callback) => {
        connect = () => callback(new Error('too late'), null)
        resolve()
      },
    })
    const abort = new AbortController()
    const request = { origin: origin(), path: '/', headers: {}, body: '{}', signal: abort.signal }
    const exchange = postOnce(slow, request)
    await connected
    abort.abort()
    equal((await exchange).kind, 'not_sent')
    connect()
    await slow.destroy()
  })

  test('mayStillSend is called once the connection is established, directly before the first byte', async () => {
    let isConnected = false
    const connector = buildConnector({})
    const fresh = new Agent({
      connect: (options, callback) =>
        connector(options, (...result) => {
          isConnected = true
          callback(...result)
        }),
    })
    onRequest = (socket) => socket.write(OK)
    requestsSeen = 0
    let wasConnected = false
    const mayStillSend = () => {
      wasConnected = isConnected
      return false
    }
    const request = { origin: origin(), path: '/', headers: {}, body: '{}', signal: AbortSignal.timeout(5_000) }
    equal((await postOnce(fresh, { ...request, mayStillSend })).kind, 'not_sent')
    equal(wasConnected, true)
    equal((await postOnce(fresh, request)).kind, 'response')
    equal(requestsSeen, 1, 'only the second request was written')
    await fresh.destroy()
  })
})
