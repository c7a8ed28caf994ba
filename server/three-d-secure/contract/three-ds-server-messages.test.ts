import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { threeDsIoServer } from '../adapters/three-ds-io/three-ds-io-server.ts'
import type { ThreeDsServer } from '../three-ds-server.ts'
import { type FakeThreeDsServer, startFakeThreeDsServer } from './fake-three-ds-server.ts'
import { ACS, ARES, CHALLENGE, CRD, DS, ERRO, PENDING, RREQ, SERVER, VALUE } from './messages.ts'
import { authenticationRequest, cardLookup, ORDINARY_CARD } from './requests.ts'
import { scriptedCalls } from './scripted-calls.ts'

// What messages of a 3-D Secure server prove; anything else is a failure, and nothing is guessed (TDS-17).

const KEY = 'key'

describe('3-D Secure server, messages', () => {
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
      ['2.2.0', '2.2.0', undefined, '2.1.0', 'not_supported'],
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

  const METHOD = 'https://acs.example/method'
  const LISTS: [name: string, lists: object, version: string, method: string | null][] = [
    ['the issuer has a gap', { acsProtocolVersions: [{ version: '2.1.0' }, { version: '2.2.0' }] }, '2.2.0', null],
    [
      'the version has a method of its own',
      { acsProtocolVersions: [{ version: '2.2.0', threeDSMethodURL: 'https://acs.example/2.2' }] },
      '2.2.0',
      'https://acs.example/2.2',
    ],
    [
      'another version has a method',
      { acsProtocolVersions: [{ version: '2.1.0', threeDSMethodURL: METHOD }, { version: '2.3.1' }] },
      '2.3.1',
      null,
    ],
    ['a later build of the version', { acsProtocolVersions: [{ version: '2.3.1.0' }] }, '2.3.1', null],
    ['the directory has fewer', { dsProtocolVersions: ['2.1.0', '2.2.0'] }, '2.2.0', METHOD],
    ['the server has fewer', { threeDSServerProtocolVersions: ['2.1.0'] }, '2.1.0', METHOD],
    ['nothing in common', { dsProtocolVersions: ['2.2.0'], threeDSServerProtocolVersions: ['2.1.0'] }, 'none', null],
    ['no version at all', { acsProtocolVersions: [] }, 'none', null],
  ]
  for (const [name, lists, version, method] of LISTS) {
    test(`lists of versions win over the ranges beside them: ${name} (TDS-21)`, async () => {
      const result = await lookUp({ ...CRD, acsEndProtocolVersion: '2.3.1', threeDSMethodURL: METHOD, ...lists })
      const found = result.outcome === 'enrolled' ? [result.messageVersion, result.methodUrl] : ['none', null]
      deepEqual(found, [version, method])
    })
  }

  test('a service without HTTPS does not speak version 2.3.1', async () => {
    const plain = threeDsIoServer({ url: fake.url, key: KEY, versions: ['2.1.0', '2.2.0'] })
    fake.respond({ ...CRD, acsEndProtocolVersion: '2.3.1' })
    const result = await plain.lookUp(cardLookup())
    await plain.close()
    equal(result.outcome === 'enrolled' && result.messageVersion, '2.2.0')
  })

  test('a key that the server does not know needs the operator, in whatever form it is said', async () => {
    for (const body of ['Invalid API Key', JSON.stringify(ERRO), '{}']) {
      const result = await lookUp((response: ServerResponse) => response.writeHead(401).end(body))
      const message = 'HTTP 401: the server does not know THREE_DS_SERVER_KEY'
      deepEqual(result, { outcome: 'failed', errorCode: null, component: null, message, isMisconfigured: true })
    }
  })

  test('a value longer than 20 bytes is passed on as it is since version 2.3.1, and unusable before', async () => {
    for (const value of [`${VALUE}AAAA`, 'x.y-z_'.repeat(50), 'v'.repeat(4_000)]) {
      for (const messageVersion of ['2.1.0', '2.2.0', '2.3.1'] as const) {
        const result = await authenticate({ ...ARES, messageVersion, authenticationValue: value }, { messageVersion })
        const read = result.outcome === 'decided' ? result.value?.reveal() : null
        equal(read, messageVersion === '2.3.1' ? value : null)
      }
    }
    const change = { messageVersion: '2.3.1', authenticationValue: 'v'.repeat(4_001) } as const
    equal((await authenticate({ ...ARES, ...change }, { messageVersion: '2.3.1' })).outcome, 'failed')
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
      // Without a method the payer is still authenticated (TDS-6).
      deepEqual(lookup.outcome === 'enrolled' && lookup.methodUrl, expected, url)
    }
    for (const threeDSMethodURL of ['', null, 5, {}]) {
      const lookup = await lookUp({ ...CRD, threeDSMethodURL })
      equal(lookup.outcome === 'enrolled' && lookup.methodUrl, null)
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
    equal((await challengeResult({ ...RREQ, acsTransID: DS })).outcome, 'failed')
    equal((await challengeResult({ ...RREQ, messageVersion: '2.1.0' })).outcome, 'failed')
    equal((await challengeResult(ARES)).outcome, 'failed')
    equal((await authenticate(RREQ)).outcome, 'failed')
  })

  test('a card that is only added may be authenticated without a value', async () => {
    const without = { ...ARES, authenticationValue: undefined }
    const added = await authenticate(without, { reason: 'add_card' })
    ok(added.outcome === 'decided' && added.value === null && added.transStatus === 'Y')
    const ended = { ...RREQ, ...without, messageType: 'RReq', messageCategory: '02' }
    equal((await challengeResult(ended, { reason: 'add_card' })).outcome, 'decided')
  })

  test('the result of a payment does not say that a card was only added, nor the other way round', async () => {
    for (const value of [{}, { authenticationValue: undefined }])
      equal((await challengeResult({ ...RREQ, ...value, messageCategory: '02' })).outcome, 'failed')
    equal((await challengeResult(RREQ, { reason: 'add_card' })).outcome, 'failed')
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
})
