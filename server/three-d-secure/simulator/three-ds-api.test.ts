import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exampleAreq, type Json, requestorOf } from '../../../test/support/three-ds-requestor.ts'
import type { RunningSimulator } from '../../gateway/simulator/start-simulator.ts'
import { startSimulators } from '../../serve/start-simulators.ts'
import { threeDsSimulatorControl } from './control.ts'
import { threeDsTestCard } from './test-cards.ts'
import { openThreeDsSimulator } from './three-ds-simulator.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME_SCALE = 0.01

describe('The simulated 3-D Secure server', () => {
  let simulator: RunningSimulator
  let requestor: ReturnType<typeof requestorOf>
  before(async () => {
    simulator = await startSimulators({ environment: 'staging', timeScale: TIME_SCALE })
    requestor = requestorOf(simulator)
  })
  after(() => simulator.close())

  describe('/preauth', () => {
    test('of a card with a method has the versions, the transaction id and the method URL', async () => {
      const { status, body } = await requestor.preauth(threeDsTestCard('visa', '2000'))
      equal(status, 200)
      const { threeDSServerTransID, ...rest } = body
      const own = { acsInfoInd: ['01', '02'], threeDSMethodURL: `${simulator.url}/sim/acs/method` }
      match(String(threeDSServerTransID), UUID)
      deepEqual(rest, {
        messageType: 'CRD',
        acsStartProtocolVersion: '2.1.0',
        acsEndProtocolVersion: '2.2.0',
        dsStartProtocolVersion: '2.1.0',
        dsEndProtocolVersion: '2.3.1',
        acsProtocolVersions: ['2.1.0', '2.2.0'].map((version) => ({ version, ...own })),
        dsProtocolVersions: ['2.1.0', '2.2.0', '2.3.1'],
        threeDSServerProtocolVersions: ['2.1.0', '2.2.0', '2.3.1'],
        scheme: 'standin',
        ...own,
      })
    })

    test('of a card without a method has no method URL', async () => {
      const { body } = await requestor.preauth('4242424242424242')
      equal('threeDSMethodURL' in body, false)
      equal(body.acsEndProtocolVersion, '2.2.0')
    })

    test('of a card that does not take part is the error 305', async () => {
      const { status, body } = await requestor.preauth(threeDsTestCard('visa', '0000'))
      deepEqual([status, body.messageType, body.errorCode, body.errorComponent], [400, 'Erro', '305', 'S'])
      equal(body.errorDescription, 'Unknown BIN')
    })

    for (const [what, number, code] of [
      ['without a number', undefined, '201'],
      ['with letters', '4242a24242424242', '203'],
      ['with too few digits', '424242424242', '203'],
      ['with a number that is not text', 4242424242424242, '203'],
    ] as const) {
      test(`${what} is the error ${code}`, async () => {
        const { status, body } = await requestor.preauth(number)
        deepEqual([status, body.messageType, body.errorCode, body.errorDetail], [400, 'Erro', code, 'acctNumber'])
      })
    }
  })

  describe('/auth', () => {
    test('of a frictionless card has the shape of 3dsecure.io', async () => {
      const { status, body } = await requestor.authenticate('4242424242424242')
      equal(status, 200)
      const { acsTransID, dsTransID, threeDSServerTransID, authenticationValue, ...rest } = body
      for (const id of [acsTransID, dsTransID, threeDSServerTransID]) match(String(id), UUID)
      match(String(authenticationValue), /^[A-Za-z0-9+/]{27}=$/)
      deepEqual(rest, {
        messageType: 'ARes',
        messageVersion: '2.2.0',
        acsReferenceNumber: 'rialto-simulated-bank',
        acsOperatorID: 'rialto-simulated-bank',
        dsReferenceNumber: 'rialto-simulated-directory',
        transStatus: 'Y',
        eci: '05',
      })
    })

    test('of a challenge has the address of the bank and how it challenges, and no proof', async () => {
      const { body } = await requestor.authenticate(threeDsTestCard('mastercard', '2172'))
      deepEqual(
        [body.transStatus, body.acsURL, body.acsChallengeMandated, body.authenticationType],
        ['C', `${simulator.url}/sim/acs/challenge`, 'Y', '02'],
      )
      equal('authenticationValue' in body || 'eci' in body, false)
      const { body: newer } = await requestor.authenticate(threeDsTestCard('mastercard', '3172'))
      deepEqual([newer.authenticationMethod, newer.authenticationType], ['02', undefined])
    })

    test('needs the id of a lookup of the same card, which is used once', async () => {
      const number = '4242424242424242'
      const { body: card } = await requestor.preauth(number)
      const id = card.threeDSServerTransID
      const send = async (areq: Json) => (await requestor.post('auth', areq)).body.errorCode
      equal(await send(exampleAreq(number, '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6')), '301')
      equal(await send(exampleAreq('4000990000003107', id)), '305')
      equal(await send(exampleAreq(number, id, { messageVersion: '2.3.1' })), '102')
      equal(await send(exampleAreq(number, id)), undefined)
      equal(await send(exampleAreq(number, id)), '301')
    })

    test('an id that is too old is not recognised', async () => {
      const { body: card } = await requestor.preauth('4242424242424242')
      await threeDsSimulatorControl(simulator).script({ expireLookups: true })
      const { body } = await requestor.post('auth', exampleAreq('4242424242424242', card.threeDSServerTransID))
      equal(body.errorCode, '301')
    })

    test('a silent directory is the error 405, after the time that the server waits', async () => {
      const began = performance.now()
      const { status, body } = await requestor.authenticate(threeDsTestCard('visa', '2160'))
      deepEqual([status, body.errorCode, body.errorComponent, body.errorMessageType], [504, '405', 'S', 'AReq'])
      equal(performance.now() - began > 9_500 * TIME_SCALE, true)
    })
  })

  test('/postauth has no result before the challenge has ended, and none of an unknown transaction', async () => {
    const { body: ares } = await requestor.authenticate(threeDsTestCard('visa', '2172'))
    for (const id of [ares.threeDSServerTransID, '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6']) {
      const { status, body } = await requestor.postauth(id)
      deepEqual([status, body.messageType, body.errorCode, body.threeDSServerTransID], [404, 'Erro', '203', id])
      equal(body.errorDescription, 'Unknown threeDSServerTransID')
    }
    equal((await requestor.postauth(undefined)).body.errorCode, '201')
  })

  describe('refuses', () => {
    const statusOf = async (path: string, init: RequestInit) => (await fetch(simulator.url + path, init)).status
    const body = JSON.stringify({ acctNumber: '4242424242424242' })

    test('a caller without the key, or with another', async () => {
      const response = await fetch(`${simulator.url}/3ds/preauth`, { method: 'POST', body, headers: { apikey: 'x' } })
      deepEqual([response.status, await response.text()], [401, 'Invalid API Key'])
      for (const path of ['/3ds/preauth', '/3ds/auth', '/3ds/postauth', '/_sim/3ds/script', '/_sim/3ds/reset']) {
        equal(await statusOf(path, { method: 'POST', body }), 401, path)
      }
      equal(await statusOf('/_sim/3ds/received', {}), 401)
    })

    test('a web page, even with the key', async () => {
      const { secret } = simulator
      for (const page of [{ origin: 'http://localhost:4001' }, { 'sec-fetch-site': 'cross-site' }]) {
        const headers = { apikey: secret, 'x-simulator-secret': secret, ...page }
        equal(await statusOf('/3ds/preauth', { method: 'POST', body, headers }), 403)
        equal(await statusOf('/_sim/3ds/received', { headers }), 403)
      }
    })

    test('what is not a request of the API', async () => {
      const headers = { apikey: simulator.secret }
      equal(await statusOf('/3ds/preauth', { headers }), 405)
      equal(await statusOf('/3ds/other', { method: 'POST', body, headers }), 404)
      for (const wrong of ['[]', '"x"', '{', '', `{"acctNumber":"${'4'.repeat(70_000)}"}`]) {
        equal(await statusOf('/3ds/preauth', { method: 'POST', body: wrong, headers }), 400, wrong.slice(0, 20))
      }
    })

    test('to start in production', async () => {
      const options = { environment: 'production', secret: 'x', publicUrl: () => 'https://bank.example' } as const
      let message = ''
      try {
        openThreeDsSimulator(options)
      } catch (error) {
        message = (error as Error).message
      }
      equal(message, 'The 3-D Secure simulator does not run in production')
      const started = startSimulators({ environment: 'production' }).then(
        () => 'started',
        () => 'refused',
      )
      equal(await started, 'refused')
    })
  })
})
