import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RunningSimulator } from '../../gateway/simulator/start-simulator.ts'
import { startSimulators } from '../../serve/start-simulators.ts'
import { threeDsIoServer } from '../adapters/three-ds-io/three-ds-io-server.ts'
import { encodeCreq, readCres } from '../creq.ts'
import { type ThreeDsSimulatorControl, threeDsSimulatorControl } from '../simulator/control.ts'
import { type SimulatedNetwork, threeDsTestCard } from '../simulator/test-cards.ts'
import type { AuthenticationRequest, MessageVersion, ThreeDsServer, TransStatus } from '../three-ds-server.ts'
import { authenticationRequest, cardLookup, deadline } from './requests.ts'

// Tests every result of the port, with the adapter against the simulated 3-D Secure server and bank (TDS-18).

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Scales the 10 s during which the directory server does not respond. */
const TIME_SCALE = 0.005
const NETWORKS = ['visa', 'mastercard', 'amex'] as const

describe('3-D Secure server, against the simulator', () => {
  let simulator: RunningSimulator
  let control: ThreeDsSimulatorControl
  let server: ThreeDsServer
  before(async () => {
    simulator = await startSimulators({ environment: 'staging', timeScale: TIME_SCALE })
    control = threeDsSimulatorControl(simulator)
    server = threeDsIoServer({ url: `${simulator.url}/3ds`, key: simulator.secret, plainHosts: ['127.0.0.1'] })
  })
  after(async () => {
    await server.close()
    await simulator.close()
  })

  const enrolled = async (number: string) => {
    const lookup = await server.lookUp(cardLookup(number))
    if (lookup.outcome !== 'enrolled') throw new Error(`${number}: ${lookup.outcome}`)
    return lookup
  }
  const authenticate = async (number: string, change: Partial<AuthenticationRequest> = {}) => {
    const { serverTransactionId, messageVersion } = await enrolled(number)
    const request = authenticationRequest({ serverTransactionId, messageVersion, ...change }, number)
    return { serverTransactionId, messageVersion, result: await server.authenticate(request) }
  }
  /** Runs a challenge like the payer's browser. Returns what the browser brings back. */
  const challenge = async (number: string) => {
    const { serverTransactionId, messageVersion, result } = await authenticate(number)
    ok(result.outcome === 'challenge', JSON.stringify(result))
    const { url, acsTransactionId } = result
    const creq = encodeCreq({ serverTransactionId, acsTransactionId, messageVersion, window: '02' })
    const page = await fetch(url, { method: 'POST', body: new URLSearchParams({ creq }) })
    const [, cres = ''] = /name="cres" value="([^"]*)"/.exec(await page.text()) ?? []
    const ids = { serverTransactionId, acsTransactionId }
    const inquire = () => server.challengeResult({ ...ids, messageVersion, reason: 'payment', signal: deadline() })
    return { ids, browser: readCres({ cres }), inquire }
  }

  for (const network of NETWORKS) {
    test(`${network}: a card has its version, and a method where it has one (TDS-21)`, async () => {
      const versions: [digits: string, version: MessageVersion, method: string | null][] = [
        ['2000', '2.2.0', `${simulator.url}/sim/acs/method`],
        ['1100', '2.1.0', null],
        ['3000', '2.3.1', `${simulator.url}/sim/acs/method`],
        ['2200', '2.2.0', `${simulator.url}/sim/acs/method`],
        ['2300', '2.2.0', 'http://127.0.0.1:2/method'],
      ]
      for (const [digits, version, method] of versions) {
        const { messageVersion, methodUrl, serverTransactionId } = await enrolled(threeDsTestCard(network, digits))
        deepEqual([messageVersion, methodUrl], [version, method])
        match(serverTransactionId, UUID)
      }
    })

    test(`${network}: a card that does not take part, or only in version 1, is not supported (TDS-15)`, async () => {
      for (const digits of ['0000', '0100']) {
        deepEqual(await server.lookUp(cardLookup(threeDsTestCard(network, digits))), { outcome: 'not_supported' })
      }
    })

    for (const [digits, transStatus, isProven] of [
      ['2000', 'Y', true],
      ['1100', 'Y', true],
      ['3000', 'Y', true],
      ['2120', 'A', true],
      ['2010', 'N', false],
      ['2130', 'R', false],
      ['2150', 'U', false],
      ['2140', 'I', false],
    ] as const) {
      test(`${network} ${digits}: a result without a challenge is ${transStatus}`, async () => {
        const { result } = await authenticate(threeDsTestCard(network, digits))
        ok(result.outcome === 'decided', JSON.stringify(result))
        deepEqual([result.transStatus, result.value !== null], [transStatus, isProven])
        equal(result.eci, expectedEci(network, transStatus))
        match(result.dsTransactionId ?? '', UUID)
        if (result.value) match(result.value.reveal(), /^[A-Za-z0-9+/]{27}=$/)
      })
    }
  }

  const FAILURES: [digits: string, what: string, errorCode: string | null, component: string | null][] = [
    ['2160', 'a directory that does not respond', '405', 'S'],
    ['2180', 'a challenge elsewhere, which was not requested', null, null],
    ['2190', 'an error of the server', '203', 'S'],
  ]
  for (const [digits, what, errorCode, component] of FAILURES) {
    test(`${digits}: ${what} is a failure (TDS-17)`, async () => {
      const { result } = await authenticate(threeDsTestCard('visa', digits))
      ok(result.outcome === 'failed')
      deepEqual([result.errorCode, result.component], [errorCode, component])
    })
  }

  test('an enquiry that fails is a failure, not a card that does not take part (TDS-17)', async () => {
    const result = await server.lookUp(cardLookup(threeDsTestCard('visa', '0200')))
    ok(result.outcome === 'failed')
    deepEqual([result.errorCode, result.component], ['403', 'S'])
  })

  for (const [digits, inBrowser, transStatus] of [
    ['2070', 'Y', 'Y'],
    ['1170', 'Y', 'Y'],
    ['3070', 'Y', 'Y'],
    ['2071', 'N', 'N'],
    ['2073', 'N', 'N'],
    ['2075', 'Y', 'N'],
    ['2076', null, 'Y'],
    ['2077', 'N', 'U'],
  ] as const) {
    test(`challenge ${digits}: the browser says ${inBrowser}, the result is ${transStatus} (TDS-7)`, async () => {
      const { ids, browser, inquire } = await challenge(threeDsTestCard('mastercard', digits))
      deepEqual(browser, inBrowser && { ...ids, transStatus: inBrowser })
      const result = await inquire()
      ok(result.outcome === 'decided', JSON.stringify(result))
      deepEqual([result.transStatus, result.value !== null], [transStatus, transStatus === 'Y'])
      equal(result.eci, expectedEci('mastercard', transStatus))
      deepEqual(await inquire().then((again) => again.outcome), 'decided')
    })
  }

  test('the result of a challenge is pending until the bank has sent it', async () => {
    const number = threeDsTestCard('visa', '2078')
    const { serverTransactionId, messageVersion, result } = await authenticate(number)
    ok(result.outcome === 'challenge')
    const { acsTransactionId } = result
    const inquiry = {
      serverTransactionId,
      acsTransactionId,
      messageVersion,
      reason: 'payment' as const,
      signal: deadline(),
    }
    deepEqual(await server.challengeResult(inquiry), { outcome: 'pending' })
    const { inquire } = await challenge(number)
    deepEqual(await inquire(), { outcome: 'pending' })
  })

  test('the server accepts every kind of request in every version, and has all of its fields', async () => {
    const recurring = { frequencyDays: 30, next: '2026-12-22', until: '2027-10-31', count: 12 }
    const now = new Date()
    const changes: Partial<AuthenticationRequest>[] = [
      {},
      { reason: 'recurring', recurring },
      { reason: 'recurring', recurring: { ...recurring, count: null } },
      { reason: 'installment', recurring },
      { reason: 'add_card' },
      { account: { asOf: now, createdAt: now, cardStoredAt: now, purchases: 0, dayCount: 0, yearCount: 1_000 } },
      { methodCompleted: 'N', contact: { email: null, phone: { countryCode: '1', subscriber: '5145550123' } } },
      { billing: { state: 'Québec', country: 'CA' }, shipping: { line1: 'Ł'.repeat(60), country: 'XK' } },
      { card: { ...authenticationRequest({ serverTransactionId: '' }, '').card, name: null } },
    ]
    for (const digits of ['1100', '2100', '3100']) {
      for (const change of changes) {
        const number = threeDsTestCard('visa', digits)
        const { serverTransactionId, messageVersion } = await enrolled(number)
        const request = { ...authenticationRequest({ serverTransactionId, messageVersion }, number), ...change }
        const card = { ...request.card, number: cardLookup(number).number }
        const result = await server.authenticate({ ...request, card })
        equal(result.outcome, 'decided', JSON.stringify({ messageVersion, change, result }))
      }
    }
  })

  test('a lookup that is too old, or of another card, is a failure with the code of the server', async () => {
    const number = threeDsTestCard('visa', '2000')
    const { serverTransactionId } = await enrolled(number)
    const other = await server.authenticate(
      authenticationRequest({ serverTransactionId }, threeDsTestCard('visa', '2010')),
    )
    equal(other.outcome === 'failed' && other.errorCode, '305')
    await control.script({ expireLookups: true })
    const late = await server.authenticate(authenticationRequest({ serverTransactionId }, number))
    equal(late.outcome === 'failed' && late.errorCode, '301')
  })

  test('another key is a failure', async () => {
    const stranger = threeDsIoServer({ url: `${simulator.url}/3ds`, key: 'x'.repeat(32) })
    const result = await stranger.lookUp(cardLookup())
    await stranger.close()
    deepEqual(result, {
      outcome: 'failed',
      errorCode: null,
      component: null,
      message: 'HTTP 401: the server does not know THREE_DS_SERVER_KEY',
      isMisconfigured: true,
    })
  })
})

function expectedEci(network: SimulatedNetwork, transStatus: TransStatus): string | null {
  const [mastercard, other] = { Y: ['02', '05'], A: ['01', '06'], R: [null, null] }[transStatus as 'Y'] ?? ['00', '07']
  return (network === 'mastercard' ? mastercard : other) ?? null
}
