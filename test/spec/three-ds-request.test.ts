import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { businessCommand } from '../../server/businesses/business-command.ts'
import { connect } from '../../server/db/connection.ts'
import { systemClock } from '../../server/lib/clock.ts'
import { startFakeThreeDsServer } from '../../server/three-d-secure/contract/fake-three-ds-server.ts'
import { threeDsSimulatorControl } from '../../server/three-d-secure/simulator/control.ts'
import { threeDsTestCard } from '../../server/three-d-secure/simulator/test-cards.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'
import { threeDsOf } from '../support/three-ds.ts'

// The data of a payment that a 3-D Secure server receives, from the payer's browser through the service.

const CARD = { cardNumber: threeDsTestCard('visa', '2100'), month: '03', year: 2031, nameOnCard: 'Zoé Łukasz 東' }
const BROWSER = {
  javascript_enabled: true,
  java_enabled: false,
  language: 'fr-CA',
  color_depth: '30',
  screen_height: '844',
  screen_width: '390',
  tz: '-330',
  user_agent: 'Mozilla/5.0 (é)',
  challenge_window_size: '02',
}
const BILLING = { line1: '1 rue de l’Église', city: 'Montréal', state: 'QC', postal_code: 'H2X 1Y4', country: 'CA' }
const CONTACT = { email: 'zoe@example.com', phone: { cc: '1', subscriber: '5145550123' } }

describe('The authentication request', () => {
  let service: TestService
  before(async () => {
    service = await openService()
    await setBusiness(service, { three_ds_enabled: true, three_ds_above: null })
  })
  after(() => service.close())

  /** Authenticates the payer. @returns the request as the server received it */
  async function sent(token: string, { amount = 25.5, ...more }: Record<string, unknown> = {}) {
    const payer = threeDsOf(service)
    const control = threeDsSimulatorControl(service.simulatorAccess)
    await control.reset()
    const id = await payer.begin(token, { cardData: CARD, amount })
    const { body } = await payer.authenticate(token, id, { browser: BROWSER, ...more }, { accept: 'text/html, */*' })
    equal(body.status, 'authenticated', JSON.stringify(body))
    const { areqs } = await control.received()
    equal(areqs.length, 1)
    return areqs[0] ?? {}
  }

  test('CAS-80: it has what browser, payer and session say, in plain ASCII (TDS-20)', async () => {
    const areq = await sent(await merchantOf(service).sessionToken(), {
      billing: BILLING,
      shipping: BILLING,
      contact: CONTACT,
    })
    match(JSON.stringify(areq), /^[\x20-\x7e]+$/)
    const { threeDSServerTransID, purchaseDate, notificationURL, acctNumber, ...rest } = areq
    match(String(threeDSServerTransID), /^[0-9a-f-]{36}$/)
    match(String(purchaseDate), /^20\d{12}$/)
    equal(String(acctNumber), CARD.cardNumber.replace(/(?<=^.{6}).*(?=.{4}$)/, '******'))
    ok(String(notificationURL).startsWith(`${service.formUrl}/customer/ddd/done/ddd_`))
    const { merchantName, threeDSRequestorURL, merchantCountryCode, ...fields } = rest
    ok(String(merchantName).length > 0 && URL.canParse(String(threeDSRequestorURL)))
    ok(['840', '124'].includes(String(merchantCountryCode)))
    const address = { City: 'Montreal', Country: '124', Line1: "1 rue de l'Eglise", PostCode: 'H2X 1Y4', State: 'QC' }
    const places = Object.entries(address).flatMap(([name, value]) => [
      [`billAddr${name}`, value],
      [`shipAddr${name}`, value],
    ])
    deepEqual(fields, {
      messageType: 'AReq',
      messageVersion: '2.2.0',
      messageCategory: '01',
      deviceChannel: '02',
      threeDSCompInd: 'U',
      threeDSRequestorAuthenticationInd: '01',
      cardExpiryDate: '3103',
      cardholderName: 'Zoe Lukasz Dong',
      acquirerBIN: '400000',
      acquirerMerchantID: '000000000000001',
      mcc: '5999',
      purchaseAmount: '2550',
      purchaseCurrency: '840',
      purchaseExponent: '2',
      transType: '01',
      browserAcceptHeader: 'text/html, */*',
      browserIP: '127.0.0.1',
      browserLanguage: 'fr-CA',
      browserUserAgent: 'Mozilla/5.0 (e)',
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserColorDepth: '24',
      browserScreenHeight: '844',
      browserScreenWidth: '390',
      browserTZ: '-330',
      email: 'zoe@example.com',
      mobilePhone: { cc: '1', subscriber: '5145550123' },
      addrMatch: 'Y',
      merchantRiskIndicator: { shipIndicator: '01' },
      ...Object.fromEntries(places),
    })
  })

  test('a subscription says how often and until when it is charged', async () => {
    const monthly = await sent(await merchantOf(service).sessionToken(planInput()))
    deepEqual(
      [monthly.threeDSRequestorAuthenticationInd, monthly.threeDSRequestorChallengeInd, monthly.purchaseInstalData],
      ['02', '04', undefined],
    )
    deepEqual([monthly.recurringFrequency, monthly.recurringExpiry], ['28', '20991231'])
    const { checkout_url } = await waitingSubscription(merchantApiOf(service), { installments: 3 })
    const inParts = await sent(await openedLink(checkout_url), { amount: 25 })
    deepEqual([inParts.threeDSRequestorAuthenticationInd, inParts.purchaseInstalData], ['03', '3'])
  })

  test('neither the card nor the key of the server is in the log', async () => {
    const logged = service.logged()
    ok(logged.includes('ddd'))
    for (const secret of [CARD.cardNumber, service.simulatorAccess.secret, 'Łukasz', 'Lukasz']) {
      equal(logged.includes(secret), false)
    }
  })
})

test('THREE_DS_SERVER_URL: a payer is authenticated by that server, with its key, and its errors are 502 (TDS-17)', async () => {
  const fake = await startFakeThreeDsServer()
  try {
    const key = 'key-of-a-real-server'
    await using service = await openKillableService({
      env: { THREE_DS_SERVER_URL: fake.url, THREE_DS_SERVER_KEY: key },
    })
    await switchOn(service)
    const payer = threeDsOf(service)
    const id = '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6'
    const range = { threeDSServerTransID: id, acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.1.0' }
    fake.respond({ messageType: 'CRD', ...range })
    const token = await merchantOf(service).sessionToken()
    const begun = await payer.init(token, { cardData: CARD })
    deepEqual([begun.status, begun.body.status, begun.body.message_version], [200, 'ready', '2.1.0'])
    fake.respond({
      messageType: 'Erro',
      messageVersion: '2.1.0',
      errorCode: '203',
      errorComponent: 'D',
      errorDescription: CARD.cardNumber,
      errorDetail: `acctNumber ${CARD.cardNumber}`,
    })
    const { status, body } = await payer.authenticate(token, begun.body.ddd_session_id, { browser: BROWSER })
    deepEqual([status, body.code, body.error_code, body.error_component], [502, 'three_ds_server_error', '203', 'D'])
    equal(body.charged, false)
    deepEqual(
      fake.received.map(({ path, headers }) => [path, headers.apikey]),
      [
        ['/3ds/preauth', key],
        ['/3ds/auth', key],
      ],
    )
    equal(fake.received[1]?.body.cardholderName, 'Zoe Lukasz Dong')
    equal(fake.received[1]?.body.messageVersion, '2.1.0')
    await service.terminate()
    const logged = service.logged() + service.greeting()
    match(logged, /Erro 203 from D about acctNumber/)
    for (const secret of [key, CARD.cardNumber]) equal(logged.includes(secret), false)
  } finally {
    await fake.close()
  }
})

async function switchOn({ databaseUrl, demo }: KillableService): Promise<void> {
  const { db, close } = connect({ url: databaseUrl, max: 1 })
  await businessCommand({ db, clock: systemClock }, ['set', '--business', demo.business_id, '--three-ds', 'on'])
  await close()
}
