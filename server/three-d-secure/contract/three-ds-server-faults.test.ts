import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { freePort } from '../../../test/support/free-ports.ts'
import { threeDsIoServer } from '../adapters/three-ds-io/three-ds-io-server.ts'
import type { MessageVersion, ThreeDsServer, ThreeDsServerFailure } from '../three-ds-server.ts'
import { type FakeThreeDsServer, startFakeThreeDsServer } from './fake-three-ds-server.ts'
import { authenticationRequest, cardLookup, deadline, ORDINARY_CARD } from './requests.ts'

// What a 3-D Secure server, or something in its place, may respond wrongly: a failure, never a guess (TDS-17).

const KEY = 'key-that-nobody-may-see'
const SERVER = '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6'
const ACS = '43163cd0-c849-4924-82c1-7bec32b94881'
const DS = '1cf815e5-cc85-436f-8e13-9f5e5aea731f'
const VALUE = '1qjyGT2+HSxGuPg9YrCLSXc/J0s='

const CRD = {
  messageType: 'CRD',
  threeDSServerTransID: SERVER,
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  dsStartProtocolVersion: '2.1.0',
  dsEndProtocolVersion: '2.3.1',
}
const ARES = {
  messageType: 'ARes',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER,
  acsTransID: ACS,
  dsTransID: DS,
  transStatus: 'Y',
  eci: '05',
  authenticationValue: VALUE,
}
const CHALLENGE = {
  ...ARES,
  transStatus: 'C',
  eci: undefined,
  authenticationValue: undefined,
  acsURL: 'https://acs.example/c',
}
const RREQ = { ...ARES, messageType: 'RReq', messageCategory: '01' }
const ERRO = {
  messageType: 'Erro',
  messageVersion: '2.2.0',
  errorCode: '203',
  errorComponent: 'D',
  errorDescription: `wrong: ${ORDINARY_CARD}`,
  errorDetail: `billAddrState, acctNumber ${ORDINARY_CARD}`,
}
const PENDING = { ...ERRO, errorComponent: 'S', errorDetail: 'Unknown threeDSServerTransID' }

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

  const lookUp = (response: object, number = ORDINARY_CARD) => {
    fake.respond(response)
    return server.lookUp(cardLookup(number))
  }
  const authenticate = (response: object, change: { messageVersion?: MessageVersion; reason?: 'add_card' } = {}) => {
    fake.respond(response)
    return server.authenticate(authenticationRequest({ serverTransactionId: SERVER, ...change }))
  }
  const challengeResult = (response: object) => {
    fake.respond(response)
    return server.challengeResult({ serverTransactionId: SERVER, signal: deadline() })
  }
  /** Each method, with what its response would be. */
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
      'a refused key',
      () => (response) => void response.writeHead(401).end('Invalid API Key'),
      'HTTP 401 with a body that is not JSON',
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

  /** A call whose signal fires while the server is silent. */
  function silenced(method: string) {
    fake.respond(() => {})
    const signal = AbortSignal.timeout(100)
    if (method === 'lookUp') return server.lookUp({ ...cardLookup(), signal })
    if (method === 'authenticate')
      return server.authenticate(authenticationRequest({ serverTransactionId: SERVER, signal }))
    return server.challengeResult({ serverTransactionId: SERVER, signal })
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

  test('the version is the highest that all sides support (TDS-21)', async () => {
    const versions: [
      acsStart: string,
      acsEnd: string,
      dsStart: string | undefined,
      dsEnd: string | undefined,
      chosen: string,
    ][] = [
      ['2.1.0', '2.1.0', '2.1.0', '2.3.1', '2.1.0'],
      ['2.1.0', '2.2.0', '2.1.0', '2.3.1', '2.2.0'],
      ['2.1.0', '2.3.1', '2.1.0', '2.3.1', '2.3.1'],
      ['2.1.0', '2.3.1.1', '2.1.0', '2.3.1.1', '2.3.1'],
      ['2.1.0', '2.3.0', '2.1.0', '2.3.1', '2.2.0'],
      ['2.1.0', '2.10.0', '2.1.0', '2.10.0', '2.3.1'],
      ['2.1.0', '2.3.1', '2.1.0', '2.2.0', '2.2.0'],
      ['2.1.0', '2.3.1', undefined, undefined, '2.3.1'],
      ['2.2.0', '2.2.0', undefined, '2.1.0', 'failed'],
      ['2.2.0', '2.2.0', '2.1.0', '2.1.0', 'not_supported'],
      ['1.0.2', '1.0.2', '2.1.0', '2.3.1', 'not_supported'],
      ['2.4.0', '2.5.0', '2.1.0', '2.5.0', 'not_supported'],
      ['2.3.1', '2.1.0', '2.1.0', '2.3.1', 'failed'],
    ]
    for (const [
      acsStartProtocolVersion,
      acsEndProtocolVersion,
      dsStartProtocolVersion,
      dsEndProtocolVersion,
      chosen,
    ] of versions) {
      const range = { acsStartProtocolVersion, acsEndProtocolVersion, dsStartProtocolVersion, dsEndProtocolVersion }
      const result = await lookUp({ ...CRD, ...range })
      equal(result.outcome === 'enrolled' ? result.messageVersion : result.outcome, chosen, JSON.stringify(range))
    }
  })

  test('a card of no network that takes part is not supported; another error is not that', async () => {
    const unknown = { ...ERRO, errorCode: '305', errorComponent: 'S' }
    deepEqual(await lookUp(unknown), { outcome: 'not_supported' })
    deepEqual(await lookUp((response: ServerResponse) => response.writeHead(400).end(JSON.stringify(unknown))), {
      outcome: 'not_supported',
    })
    equal((await lookUp({ ...unknown, errorCode: '304' })).outcome, 'failed')
  })

  const URLS: [url: string, expected: string | null][] = [
    ['https://acs.example/c?d=1', 'https://acs.example/c?d=1'],
    ['http://127.0.0.1:4002/sim/acs', 'http://127.0.0.1:4002/sim/acs'],
    ['http://acs.example/c', null],
    ['http://localhost:4002/c', null],
    ['https://user:password@acs.example/c', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['//acs.example/c', null],
    ['/c', null],
    [`https://acs.example/${'x'.repeat(2_048)}`, null],
  ]
  test('the payer is sent to pages with TLS only, and to those of a known simulator', async () => {
    for (const [url, expected] of URLS) {
      const challenge = await authenticate({ ...CHALLENGE, acsURL: url })
      equal(challenge.outcome === 'challenge' ? challenge.url : null, expected, url)
      const lookup = await lookUp({ ...CRD, threeDSMethodURL: url })
      equal(lookup.outcome === 'enrolled' ? lookup.methodUrl : null, expected, url)
      equal(lookup.outcome, expected === null ? 'failed' : 'enrolled', url)
    }
    deepEqual(await authenticate(CHALLENGE), {
      outcome: 'challenge',
      url: 'https://acs.example/c',
      acsTransactionId: ACS,
      dsTransactionId: DS,
    })
    for (const missing of ['acsURL', 'acsTransID']) {
      equal((await authenticate({ ...CHALLENGE, [missing]: undefined })).outcome, 'failed')
    }
  })

  const DECISIONS: [name: string, change: object, outcome: string][] = [
    ['A', { transStatus: 'A', eci: '06' }, 'decided'],
    ['Y of Mastercard', { eci: '02' }, 'decided'],
    ['no ECI', { eci: undefined }, 'decided'],
    ['N without a value', { transStatus: 'N', eci: '07', authenticationValue: undefined }, 'decided'],
    ['Y without a value', { authenticationValue: undefined }, 'failed'],
    ['A without a value', { transStatus: 'A', authenticationValue: undefined }, 'failed'],
    ['a value that is too short', { authenticationValue: VALUE.slice(2) }, 'failed'],
    ['a value with more after it', { authenticationValue: `${VALUE}\n` }, 'failed'],
    ['Y with the ECI of N', { eci: '07' }, 'failed'],
    ['Y with the ECI of N of Mastercard', { eci: '00' }, 'failed'],
    ['D', { transStatus: 'D' }, 'failed'],
    ['S', { transStatus: 'S' }, 'failed'],
    ['another letter', { transStatus: 'X' }, 'failed'],
    ['lower case', { transStatus: 'y' }, 'failed'],
    ['another transaction', { threeDSServerTransID: DS }, 'failed'],
    ['another version of the protocol', { messageVersion: '2.9.0' }, 'failed'],
    ['version 1', { messageVersion: '1.0.2' }, 'failed'],
  ]
  for (const [name, change, outcome] of DECISIONS) {
    test(`a result is ${outcome}: ${name}`, async () => {
      equal((await authenticate({ ...ARES, ...change })).outcome, outcome)
      equal((await challengeResult({ ...RREQ, ...change })).outcome, outcome)
    })
  }

  test('a result has another version than the request: a failure', async () => {
    equal((await authenticate(ARES, { messageVersion: '2.1.0' })).outcome, 'failed')
    equal((await authenticate({ ...ARES, messageVersion: '2.1.0' }, { messageVersion: '2.1.0' })).outcome, 'decided')
  })

  test('a challenge does not end with another one, and its result says what it is of', async () => {
    equal((await challengeResult({ ...RREQ, transStatus: 'C' })).outcome, 'failed')
    equal((await challengeResult({ ...RREQ, messageCategory: undefined })).outcome, 'failed')
    equal((await challengeResult(ARES)).outcome, 'failed')
    equal((await authenticate(RREQ)).outcome, 'failed')
  })

  test('a card that is only added may be authenticated without a value', async () => {
    const without = { ...ARES, authenticationValue: undefined }
    const added = await authenticate(without, { reason: 'add_card' })
    ok(added.outcome === 'decided' && added.value === null && added.transStatus === 'Y')
    equal(
      (await challengeResult({ ...RREQ, ...without, messageType: 'RReq', messageCategory: '02' })).outcome,
      'decided',
    )
  })

  test('a value without its padding is completed, and belongs to Y and A alone', async () => {
    const unpadded = await authenticate({ ...ARES, authenticationValue: VALUE.slice(0, 27) })
    ok(unpadded.outcome === 'decided')
    equal(unpadded.value?.reveal(), VALUE)
    for (const transStatus of ['N', 'U', 'R', 'I']) {
      const result = await authenticate({ ...ARES, transStatus, eci: '07' })
      ok(result.outcome === 'decided' && result.transStatus === transStatus)
      equal(result.value, null)
    }
  })

  test("the bank's text is one line of at most 128 characters, and what cannot be used is left out (TDS-19)", async () => {
    const N = { ...ARES, transStatus: 'N', eci: '07' }
    const texts: [sent: unknown, read: string | null][] = [
      ['Call\r\n us\u0000 ', 'Call us'],
      ['é'.repeat(200), 'é'.repeat(128)],
      [{ text: 'Call us' }, 'Call us'],
      [{ texts: [] }, null],
      [undefined, null],
      [null, null],
      [7, null],
      [' \n', null],
      [`Card ${ORDINARY_CARD}`, null],
    ]
    for (const [cardholderInfo, read] of texts) {
      const result = await authenticate({ ...N, cardholderInfo, transStatusReason: '11' })
      ok(result.outcome === 'decided')
      deepEqual([result.cardholderInfo, result.reason], [read, '11'])
    }
    for (const transStatusReason of ['1', 'ab', 11, null]) {
      const result = await authenticate({ ...N, transStatusReason })
      equal(result.outcome === 'decided' && result.reason, null)
    }
  })

  test('the result of a challenge that the server does not have yet is pending; other errors are failures', async () => {
    deepEqual(await challengeResult(PENDING), { outcome: 'pending' })
    deepEqual(
      await challengeResult((response: ServerResponse) => response.writeHead(404).end(JSON.stringify(PENDING))),
      {
        outcome: 'pending',
      },
    )
    deepEqual(await challengeResult({ ...ERRO, errorCode: '301', errorComponent: 'S' }), { outcome: 'pending' })
    for (const change of [{ errorComponent: 'A' }, { errorCode: '403' }, { errorDetail: 'x', errorDescription: 'x' }]) {
      equal((await challengeResult({ ...PENDING, ...change })).outcome, 'failed')
    }
  })

  test('a payment without an acquirer is not sent; a card that is only added is', async () => {
    const merchant = { name: 'Shop', url: 'https://shop.example', country: 'US', categoryCode: '5411' } as const
    const none = { ...merchant, acquirerBin: null, acquirerMerchantId: null }
    const call = (reason: 'payment' | 'add_card') =>
      server.authenticate(authenticationRequest({ serverTransactionId: SERVER, merchant: none, reason }))
    fake.received.length = 0
    fake.respond(ARES)
    equal((await call('payment')).outcome, 'failed')
    equal(fake.received.length, 0)
    equal((await call('add_card')).outcome, 'decided')
    const testAcquirer = { acquirerBin: '400000', acquirerMerchantId: '1', categoryCode: '5999' }
    const tested = threeDsIoServer({ url: fake.url, key: KEY, testAcquirer })
    const request = authenticationRequest({ serverTransactionId: SERVER, merchant: none })
    equal((await tested.authenticate(request)).outcome, 'decided')
    await tested.close()
    const { acquirerBIN, acquirerMerchantID, mcc } = fake.received.at(-1)?.body ?? {}
    deepEqual([acquirerBIN, acquirerMerchantID, mcc], ['400000', '1', '5999'])
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
