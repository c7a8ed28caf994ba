import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Change, NUMBER, request } from '../../test/support/areq-request.ts'
import { Secret } from '../vault/secret.ts'
import { type Areq, buildAreq, cardLookupBody } from './areq.ts'
import { type AuthenticationRequest, MESSAGE_VERSIONS } from './three-ds-server.ts'

const fieldsOf = async (areq: Promise<Areq>, ...names: string[]) => {
  const built = await areq
  return names.map((name) => built[name])
}
const RECURRING = { frequencyDays: 30, next: '2026-12-22', until: '2027-10-31', count: 12 }
const MONTHLY = { reason: 'recurring', recurring: RECURRING } as const

describe('AReq', () => {
  test('a payment has every field that is known, in the formats of the protocol (TDS-20)', async () => {
    deepEqual(await buildAreq(request()), {
      messageType: 'AReq',
      messageVersion: '2.2.0',
      deviceChannel: '02',
      messageCategory: '01',
      threeDSServerTransID: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6',
      threeDSCompInd: 'Y',
      threeDSRequestorURL: 'https://shop.example.com/',
      notificationURL: 'https://form.example.com/customer/ddd/done/ddd_1',
      threeDSRequestorAuthenticationInd: '01',
      acctNumber: NUMBER,
      cardExpiryDate: '3103',
      cardholderName: 'Zoe Muller',
      acquirerBIN: '438309',
      acquirerMerchantID: '00002000000',
      mcc: '5411',
      merchantName: 'Cafe Lodz',
      merchantCountryCode: '124',
      purchaseAmount: '3955',
      purchaseCurrency: '124',
      purchaseExponent: '2',
      purchaseDate: '20261122030405',
      transType: '01',
      browserAcceptHeader: 'text/html,*/*;q=0.8',
      browserIP: '192.0.2.7',
      browserLanguage: 'fr-CA',
      browserUserAgent: 'Mozilla/5.0',
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserColorDepth: '24',
      browserScreenHeight: '844',
      browserScreenWidth: '390',
      browserTZ: '300',
      email: 'zoe@example.com',
      mobilePhone: { cc: '1', subscriber: '5145550123' },
      billAddrCity: 'Montreal',
      billAddrCountry: '124',
      billAddrLine1: "1 rue de l'Eglise",
      billAddrPostCode: 'H2X 1Y4',
      billAddrState: 'QC',
    })
  })

  test('what is not known is absent', async () => {
    const areq = await buildAreq(
      request({
        card: { name: null },
        contact: { email: null, phone: null },
        billing: { line1: '', country: 'CA' },
        merchant: { acquirerBin: null, acquirerMerchantId: null, categoryCode: null },
      }),
    )
    const absent = [
      'cardholderName',
      'email',
      'mobilePhone',
      'billAddrLine1',
      'billAddrState',
      'shipAddrCity',
      'addrMatch',
    ]
    deepEqual(
      [...absent, 'acquirerBIN', 'mcc', 'recurringExpiry', 'threeDSRequestorChallengeInd'].filter(
        (name) => name in areq,
      ),
      [],
    )
    equal(JSON.stringify(areq).includes('null'), false)
    equal(areq.billAddrCountry, '124')
  })

  test('version 2.1.0 has no field for scripts and needs what they read; later ones leave it out', async () => {
    const unknown = { javaEnabled: null, colorDepth: null, screenHeight: null, screenWidth: null, timeZoneOffset: null }
    const browser = { ...unknown, javaScriptEnabled: false }
    const names = [
      'browserJavascriptEnabled',
      'browserJavaEnabled',
      'browserColorDepth',
      'browserScreenHeight',
      'browserTZ',
    ]
    deepEqual(await fieldsOf(buildAreq(request({ messageVersion: '2.1.0' })), ...names), [
      undefined,
      false,
      '24',
      '844',
      '300',
    ])
    deepEqual(await fieldsOf(buildAreq(request({ messageVersion: '2.1.0', browser })), ...names), [
      undefined,
      false,
      '24',
      '0',
      '0',
    ])
    for (const messageVersion of ['2.2.0', '2.3.1'] as const) {
      deepEqual(await fieldsOf(buildAreq(request({ messageVersion, browser })), ...names), [
        false,
        undefined,
        undefined,
        undefined,
        undefined,
      ])
      const partly = { ...browser, javaScriptEnabled: true, screenHeight: '844' }
      deepEqual(await fieldsOf(buildAreq(request({ messageVersion, browser: partly })), ...names.slice(0, 4)), [
        false,
        undefined,
        undefined,
        '844',
      ])
    }
  })

  test('the color depth is the next lower one of the protocol (TDS-20)', async () => {
    const depths = ['0', '1', '2', '8', '12', '15', '16', '24', '30', '32', '36', '48', '64', '999']
    const sent = await Promise.all(
      depths.map(async (colorDepth) => (await buildAreq(request({ browser: { colorDepth } }))).browserColorDepth),
    )
    deepEqual(sent, [undefined, '1', '1', '8', '8', '15', '16', '24', '24', '32', '32', '48', '48', '48'])
  })

  test('a language is cut at its subtags, and what is not one is English', async () => {
    const languages = ['en', 'fr-CA', 'zh-Hans-CN', 'sr-Latn-RS', 'de-1901-x-long', 'x-verylongone', 'abcdefghij', 'é']
    const sent = await Promise.all(
      languages.map(async (language) => (await buildAreq(request({ browser: { language } }))).browserLanguage),
    )
    deepEqual(sent, ['en', 'fr-CA', 'zh-Hans', 'sr-Latn', 'de-1901', 'en', 'en', 'en'])
  })

  test('recurring payments have their frequency and end; 2.3.1 says that both are fixed', async () => {
    const names = [
      'messageCategory',
      'threeDSRequestorAuthenticationInd',
      'threeDSRequestorChallengeInd',
      'recurringFrequency',
      'recurringExpiry',
      'purchaseInstalData',
    ]
    const fields = (change: Change) => fieldsOf(buildAreq(request(change)), ...names)
    deepEqual(await fields(MONTHLY), ['01', '02', '04', '30', '20271031', undefined])
    deepEqual(await fields({ ...MONTHLY, messageVersion: '2.1.0' }), ['01', '02', '04', '30', '20271031', undefined])
    deepEqual(await fields({ ...MONTHLY, reason: 'installment' }), ['01', '03', '04', '30', '20271031', '12'])
    for (const count of [null, 1000]) {
      const recurring = { ...RECURRING, count }
      deepEqual((await fields({ reason: 'installment', recurring })).slice(1, 2), ['02'])
    }
    const newest = await buildAreq(request({ ...MONTHLY, messageVersion: '2.3.1' }))
    deepEqual(newest.threeDSRequestorChallengeInd, ['04'])
    deepEqual(newest.recurringInd, { amountInd: '01', frequencyInd: '01' })
    deepEqual(
      [newest.recurringAmount, newest.recurringCurrency, newest.recurringExponent, newest.recurringFrequency],
      ['3955', '124', '2', '30'],
    )
    equal('recurringInd' in (await buildAreq(request(MONTHLY))), false)
  })

  test('what is billed once is a payment like any other', async () => {
    const names = ['threeDSRequestorAuthenticationInd', 'recurringFrequency', 'recurringInd', 'recurringDate']
    const once = { ...RECURRING, next: null, count: 1 }
    for (const messageVersion of MESSAGE_VERSIONS) {
      const built = buildAreq(request({ reason: 'installment', recurring: once, messageVersion }))
      deepEqual(await fieldsOf(built, ...names), ['01', undefined, undefined, undefined])
    }
  })

  test('version 2.3.1 has the languages of the header, and the acquirer’s country', async () => {
    const names = ['acceptLanguage', 'acquirerCountryCode', 'acquirerCountryCodeSource']
    const fields = (change: Change) => fieldsOf(buildAreq(request({ messageVersion: '2.3.1', ...change })), ...names)
    deepEqual(await fields({}), [['fr-CA', 'fr', 'en'], '124', '01'])
    deepEqual((await fields({ browser: { acceptLanguage: null } }))[0], ['fr-CA'])
    deepEqual((await fields({ browser: { acceptLanguage: '*, é;q=1,' } }))[0], ['fr-CA'])
    deepEqual(await fields({ messageVersion: '2.2.0' }), [undefined, undefined, undefined])
  })

  test('a shop without HTTPS is spoken for by the payment page, where the version requires HTTPS', async () => {
    const merchant = { url: 'http://shop.example.com' }
    const url = async (messageVersion: AuthenticationRequest['messageVersion']) =>
      (await buildAreq(request({ merchant, messageVersion }))).threeDSRequestorURL
    equal(await url('2.2.0'), 'http://shop.example.com/')
    equal(await url('2.3.1'), 'https://form.example.com/')
  })

  test('a card that is only added is not a payment', async () => {
    const areq = await buildAreq(request({ reason: 'add_card', currency: 'USD' }))
    const { messageCategory, threeDSRequestorAuthenticationInd, transType, purchaseAmount, purchaseCurrency } = areq
    deepEqual(
      [messageCategory, threeDSRequestorAuthenticationInd, transType, purchaseAmount, purchaseCurrency],
      ['02', '04', undefined, '3955', '840'],
    )
  })

  test('addresses have numeric countries and states of three characters, and say whether they are the same', async () => {
    const home = { line1: '1 Main St', city: 'Albany', state: 'New York', postalCode: '12207', country: 'US' }
    const bill = (billing: AuthenticationRequest['billing'], shipping: AuthenticationRequest['shipping'] = null) =>
      fieldsOf(buildAreq(request({ billing, shipping })), 'billAddrCountry', 'billAddrState', 'addrMatch')
    deepEqual(await bill(home, { ...home, state: 'US-NY' }), ['840', 'NY', 'Y'])
    deepEqual(await bill(home, { ...home, line1: '2 Main St' }), ['840', 'NY', 'N'])
    deepEqual(await bill({ ...home, country: 'GB', state: 'GB-ENG' }), ['826', 'ENG', undefined])
    deepEqual(await bill({ ...home, country: 'GB', state: 'England' }), ['826', undefined, undefined])
    deepEqual(await bill({ ...home, country: 'XK' }), [undefined, undefined, undefined])
    deepEqual(await bill({ state: 'NY' }), [undefined, undefined, undefined])
    const long = await buildAreq(request({ shipping: { line1: 'ß'.repeat(50), postalCode: '1'.repeat(20) } }))
    deepEqual([long.shipAddrLine1, long.shipAddrPostCode], ['ss'.repeat(25), '1'.repeat(16)])
  })

  test('an address that is not one, and a telephone number that is not one, are left out', async () => {
    const contact = { email: 'zoé@example.com', phone: { countryCode: '1', subscriber: '514-555' } }
    const { email, mobilePhone } = await buildAreq(request({ contact }))
    deepEqual([email, mobilePhone], [undefined, undefined])
  })

  test('the question about a card has its number alone', () => {
    deepEqual(cardLookupBody(new Secret(NUMBER)), { acctNumber: NUMBER })
  })
})
