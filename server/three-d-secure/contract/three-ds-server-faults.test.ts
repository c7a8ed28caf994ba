import { deepEqual, equal } from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { freePort } from '../../../test/support/free-ports.ts'
import { threeDsIoServer } from '../adapters/three-ds-io/three-ds-io-server.ts'
import type { ThreeDsServer, ThreeDsServerFailure } from '../three-ds-server.ts'
import { type FakeThreeDsServer, startFakeThreeDsServer } from './fake-three-ds-server.ts'
import { ARES, CHALLENGE, CRD, challengeInquiry, ERRO, PENDING, RREQ, SERVER, VALUE } from './messages.ts'
import { authenticationRequest, cardLookup, ORDINARY_CARD } from './requests.ts'
import { scriptedCalls } from './scripted-calls.ts'

// Wrong responses of a 3-D Secure server, or of something in its place, are failures; nothing is guessed (TDS-17).

const KEY = 'key-that-nobody-may-see'

describe('3-D Secure server, faults', () => {
  let fake: FakeThreeDsServer
  let server: ThreeDsServer
  before(async () => {
    fake = await startFakeThreeDsServer()
    server = threeDsIoServer({ url: fake.url, key: KEY, plainHosts: ['127.0.0.1'] })
  })
  after(async () => {
    await server.close()
    await fake.close()
  })

  const { lookUp, authenticate, challengeResult } = scriptedCalls(() => ({ fake, server }))
  /** Each method, with its usual response. */
  const CALLS: [name: string, call: (response: object) => Promise<{ outcome: string }>, usual: object][] = [
    ['lookUp', lookUp, CRD],
    ['authenticate', authenticate, ARES],
    ['challengeResult', challengeResult, RREQ],
  ]

  const FAULTS: [name: string, respond: (usual: object) => (response: ServerResponse) => void, message: string][] = [
    ['a reset', () => (response) => response.socket?.resetAndDestroy(), 'ECONNRESET'],
    ['silence', () => () => {}, 'the deadline has passed'],
    [
      'half a body',
      (usual) => (response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write(JSON.stringify(usual), () => response.socket?.end())
      },
      'UND_ERR_SOCKET',
    ],
    [
      'a body that is cut off',
      (usual) => (response) => void response.end(JSON.stringify(usual).slice(0, -1)),
      'HTTP 200 with a body that is not JSON',
    ],
    ['HTML', () => (response) => void response.end('<html>'), 'HTTP 200 with a body that is not JSON'],
    ['no body', () => (response) => void response.writeHead(204).end(), 'HTTP 204 with a body that is not JSON'],
    [
      '500 with the usual body',
      (usual) => (response) => void response.writeHead(500).end(JSON.stringify(usual)),
      'HTTP 500',
    ],
    [
      'a redirect',
      (usual) => (response) => void response.writeHead(307, { location: '/elsewhere' }).end(JSON.stringify(usual)),
      'HTTP 307',
    ],
    ['a list', (usual) => (response) => void response.end(JSON.stringify([usual])), 'the response is invalid'],
    ['null', () => (response) => void response.end('null'), 'the response is invalid'],
    [
      'a huge body',
      (usual) => (response) => void response.end(JSON.stringify({ ...usual, more: 'x'.repeat(1_000_000) })),
      'Error',
    ],
  ]
  for (const [method, call, usual] of CALLS) {
    for (const [name, respond, message] of FAULTS) {
      test(`${method}: ${name} is a failure`, async () => {
        const sent = fake.received.length
        const result = await (name === 'silence' ? silenced(method) : call(respond(usual)))
        deepEqual(result, { outcome: 'failed', errorCode: null, component: null, message })
        equal(fake.received.length, sent + 1, 'nothing is retried or followed')
      })
    }

    test(`${method}: an error of the protocol has its code and component, and of its text only names of fields`, async () => {
      for (const status of [200, 400, 500]) {
        const result = await call((response: ServerResponse) => response.writeHead(status).end(JSON.stringify(ERRO)))
        const about = method === 'authenticate' ? ' about acctNumber, billAddrState' : ''
        deepEqual(result, { outcome: 'failed', errorCode: '203', component: 'D', message: `Erro 203 from D${about}` })
      }
      const others = await Promise.all(['C', undefined].map((errorComponent) => call({ ...ERRO, errorComponent })))
      deepEqual(
        others.map((other) => (other as ThreeDsServerFailure).component),
        [null, null],
      )
    })

    test(`${method}: wrong types and other messages are failures`, async () => {
      const wrong = Object.keys(usual).flatMap((field) =>
        [null, 1, '', {}, [], 'x', `${SERVER}\n`].map((value) => ({ ...usual, [field]: value })),
      )
      for (const response of wrong) equal((await call(response)).outcome, 'failed', JSON.stringify(response))
    })
  }

  /** Makes a call whose signal fires while the server is silent. */
  function silenced(method: string) {
    fake.respond(() => {})
    const signal = AbortSignal.timeout(100)
    if (method === 'lookUp') return server.lookUp({ ...cardLookup(), signal })
    if (method === 'authenticate')
      return server.authenticate(authenticationRequest({ serverTransactionId: SERVER, signal }))
    return server.challengeResult({ ...challengeInquiry(), signal })
  }

  test('a server that is not there is a failure', async () => {
    const away = threeDsIoServer({ url: `http://127.0.0.1:${await freePort()}`, key: KEY })
    const result = await away.lookUp(cardLookup())
    await away.close()
    deepEqual(result, { outcome: 'failed', errorCode: null, component: null, message: 'ECONNREFUSED' })
  })

  test('each call is one POST of JSON with the key, below the path of the URL', async () => {
    fake.received.length = 0
    await lookUp(CRD)
    await authenticate(ARES)
    await challengeResult(RREQ)
    deepEqual(
      fake.received.map(({ path }) => path),
      ['/3ds/preauth', '/3ds/auth', '/3ds/postauth'],
    )
    for (const { headers } of fake.received) {
      deepEqual([headers.apikey, headers['content-type']], [KEY, 'application/json; charset=utf-8'])
    }
    deepEqual(fake.received[0]?.body, { acctNumber: ORDINARY_CARD })
    deepEqual([fake.received[1]?.body.browserColorDepth, fake.received[1]?.body.cardholderName], ['24', 'Zoe Muller'])
    deepEqual(fake.received[2]?.body, { threeDSServerTransID: SERVER })
  })

  test('no result shows the key, the card or the value', async () => {
    const responses = [CRD, ARES, CHALLENGE, RREQ, ERRO, PENDING, { ...ARES, transStatus: ORDINARY_CARD }]
    for (const response of responses) {
      const results = [await lookUp(response), await authenticate(response), await challengeResult(response)]
      const shown = JSON.stringify(results) + inspect(results, { depth: 9 })
      for (const secret of [KEY, ORDINARY_CARD, VALUE]) equal(shown.includes(secret), false)
    }
  })
})
