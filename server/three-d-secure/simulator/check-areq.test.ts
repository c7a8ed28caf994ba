import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleAreq, type Json } from '../../../test/support/three-ds-requestor.ts'
import { checkAreq } from './check-areq.ts'

const ID = '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6'
const areq = (changes: Json = {}) => exampleAreq('4242424242424242', ID, changes)
const without = (name: string, changes: Json = {}) => {
  const { [name]: _, ...rest } = areq(changes)
  return rest
}
const codeOf = (message: Json) => {
  const error = checkAreq(message)
  return error && [error.code, error.detail]
}

const VERSIONS = ['2.1.0', '2.2.0', '2.3.1']
const ALWAYS = [
  'messageType',
  'messageCategory',
  'deviceChannel',
  'threeDSServerTransID',
  'threeDSCompInd',
  'threeDSRequestorAuthenticationInd',
  'threeDSRequestorURL',
  'notificationURL',
  'acctNumber',
  'browserAcceptHeader',
  'browserLanguage',
  'browserUserAgent',
]
const OF_PAYMENT = [
  'acquirerBIN',
  'acquirerMerchantID',
  'mcc',
  'merchantCountryCode',
  'merchantName',
  'purchaseAmount',
  'purchaseCurrency',
  'purchaseExponent',
  'purchaseDate',
]
const OF_SCRIPTS = ['browserJavaEnabled', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ']
const OPTIONAL = ['cardExpiryDate', 'cardholderName', 'browserIP', 'email', 'mobilePhone']

describe('An authentication request', () => {
  for (const messageVersion of VERSIONS) {
    test(`of version ${messageVersion} with everything is accepted, and without what is optional too`, () => {
      equal(checkAreq(areq({ messageVersion })), null)
      for (const name of OPTIONAL) equal(checkAreq(without(name, { messageVersion })), null, name)
    })

    test(`of version ${messageVersion} names a missing field`, () => {
      for (const name of [...ALWAYS, ...OF_PAYMENT, ...OF_SCRIPTS]) {
        deepEqual(codeOf(without(name, { messageVersion })), ['201', name])
      }
    })

    test(`of version ${messageVersion} without a payment needs neither acquirer nor purchase`, () => {
      for (const name of OF_PAYMENT) equal(checkAreq(without(name, { messageVersion, messageCategory: '02' })), null)
    })
  }

  test('names all missing fields at once', () => {
    const { mcc: _, ...rest } = without('acquirerBIN')
    deepEqual(codeOf(rest), ['201', 'acquirerBIN, mcc'])
  })

  test('of a browser without scripts has less, but version 2.1.0 does not know such a browser', () => {
    const changes = { browserJavascriptEnabled: false }
    for (const name of OF_SCRIPTS) {
      equal(checkAreq(without(name, changes)), null, name)
      deepEqual(codeOf(without(name, { messageVersion: '2.1.0' })), ['201', name])
    }
    deepEqual(codeOf(without('browserJavascriptEnabled')), ['201', 'browserJavascriptEnabled'])
    deepEqual(codeOf(areq({ browserJavascriptEnabled: false, messageVersion: '2.1.0' })), [
      '203',
      'browserJavascriptEnabled',
    ])
  })

  test('that is repeated has its interval and its end; an instalment has the number of payments', () => {
    const recurring = { threeDSRequestorAuthenticationInd: '02', recurringFrequency: '30', recurringExpiry: '20271231' }
    equal(checkAreq(areq(recurring)), null)
    const varies = { ...recurring, messageVersion: '2.3.1', recurringInd: { amountInd: '02', frequencyInd: '02' } }
    for (const name of ['recurringFrequency', 'recurringExpiry']) {
      deepEqual(codeOf(without(name, recurring)), ['201', name])
      equal(checkAreq(without(name, varies)), null)
    }
    deepEqual(codeOf(without('recurringInd', varies)), ['201', 'recurringInd'])
    const fixed = {
      ...varies,
      recurringInd: { amountInd: '01', frequencyInd: '01' },
      recurringAmount: '3955',
      recurringCurrency: '124',
      recurringExponent: '2',
      recurringDate: '20271231',
    }
    equal(checkAreq(areq(fixed)), null)
    for (const name of ['recurringFrequency', 'recurringDate', 'recurringAmount']) {
      deepEqual(codeOf(without(name, fixed)), ['201', name])
    }
    const instalment = { ...recurring, threeDSRequestorAuthenticationInd: '03' }
    deepEqual(codeOf(areq(instalment)), ['201', 'purchaseInstalData'])
    equal(checkAreq(areq({ ...instalment, purchaseInstalData: '12' })), null)
    deepEqual(codeOf(areq({ ...instalment, purchaseInstalData: '1' })), ['203', 'purchaseInstalData'])
  })

  const MALFORMED: [name: string, value: unknown][] = [
    ['messageType', 'CReq'],
    ['messageVersion', '2.0.0'],
    ['messageVersion', '2.2'],
    ['messageCategory', '03'],
    ['deviceChannel', '01'],
    ['threeDSServerTransID', 'x'],
    ['threeDSCompInd', 'X'],
    ['threeDSRequestorAuthenticationInd', '1'],
    ['threeDSRequestorChallengeInd', ['04']],
    ['threeDSRequestorURL', 'shop.example'],
    ['notificationURL', `https://shop.example/${'x'.repeat(240)}`],
    ['notificationURL', 'javascript:alert(1)'],
    ['acctNumber', '42424242424242424242'],
    ['acctNumber', 4242424242424242],
    ['cardExpiryDate', '1231'],
    ['cardholderName', 'A'],
    ['cardholderName', 'Zoé Roy'],
    ['cardholderName', 'x'.repeat(46)],
    ['merchantName', 'x'.repeat(41)],
    ['merchantName', ''],
    ['merchantCountryCode', 'CA'],
    ['acquirerBIN', '123456789012'],
    ['acquirerMerchantID', 'x'.repeat(36)],
    ['mcc', '541'],
    ['purchaseAmount', '39.55'],
    ['purchaseAmount', 3955],
    ['purchaseCurrency', 'CAD'],
    ['purchaseExponent', '02'],
    ['purchaseDate', '20261322210000'],
    ['purchaseDate', '20260230210000'],
    ['purchaseDate', '202611222100'],
    ['browserAcceptHeader', 'x'.repeat(2_049)],
    ['browserIP', '203.0.113'],
    ['browserJavascriptEnabled', 'true'],
    ['browserJavaEnabled', null],
    ['browserLanguage', 'fr-CA-x-long'],
    ['browserLanguage', 'fr_CA'],
    ['browserColorDepth', '30'],
    ['browserColorDepth', 24],
    ['browserScreenHeight', '-1'],
    ['browserScreenWidth', '1234567'],
    ['browserTZ', '+05:00'],
    ['browserUserAgent', ''],
    ['email', 'ana'],
    ['mobilePhone', '15145550123'],
    ['mobilePhone', { cc: '1' }],
    ['mobilePhone', { cc: '1', subscriber: '514-555-0123' }],
    ['billAddrLine1', 'x'.repeat(51)],
    ['billAddrLine1', '12, rue Montréal'],
    ['billAddrPostCode', 'x'.repeat(17)],
    ['billAddrCountry', 'CA'],
    ['shipAddrState', 'Quebec'],
    ['addrMatch', 'true'],
    ['acctInfo', 'x'],
    ['acctInfo', { chAccDate: 'é' }],
  ]
  for (const [name, value] of MALFORMED) {
    test(`names ${name} ${JSON.stringify(value)?.slice(0, 40)} as malformed`, () => {
      const country = name.startsWith('shipAddr') ? { shipAddrCountry: '124' } : {}
      deepEqual(codeOf(areq({ ...country, [name]: value })), ['203', name])
    })
  }

  test('states a challenge preference as a text, since version 2.3.1 as a list', () => {
    equal(checkAreq(areq({ threeDSRequestorChallengeInd: '04' })), null)
    equal(checkAreq(areq({ messageVersion: '2.3.1', threeDSRequestorChallengeInd: ['04'] })), null)
    equal(codeOf(areq({ messageVersion: '2.3.1', threeDSRequestorChallengeInd: '04' }))?.[0], '203')
  })

  test('names a province without its country', () => {
    deepEqual(codeOf(areq({ billAddrState: 'QC' })), ['201', 'billAddrCountry'])
    equal(checkAreq(areq({ billAddrState: 'QC', billAddrCountry: '124' })), null)
  })

  test('may have every field of its version, sent by Rialto or not, and no other', () => {
    equal(checkAreq(areq({ merchantRiskIndicator: {}, acctType: '02', workPhone: { cc: '1', subscriber: '1' } })), null)
    deepEqual(codeOf(areq({ whatever: ['x'] })), ['203', 'whatever'])
    deepEqual(codeOf(areq({ sdkAppID: ID })), ['203', 'sdkAppID'])
    deepEqual(codeOf(areq({ acctInfo: { whatever: '1' } })), ['203', 'acctInfo'])
  })

  const NEW: [name: string, value: unknown, since: string, until: string][] = [
    ['acceptLanguage', ['fr-CA', 'fr'], '2.3.1', '2.3.1'],
    ['acquirerCountryCode', '124', '2.3.1', '2.3.1'],
    ['acquirerCountryCodeSource', '01', '2.3.1', '2.3.1'],
    ['recurringDate', '20271231', '2.3.1', '2.3.1'],
    ['taxId', 'x', '2.3.1', '2.3.1'],
    ['trustListStatus', 'Y', '2.3.1', '2.3.1'],
    ['whiteListStatus', 'Y', '2.2.0', '2.2.0'],
    ['browserJavascriptEnabled', true, '2.2.0', '2.3.1'],
    ['threeDSRequestorDecReqInd', 'N', '2.2.0', '2.3.1'],
  ]
  const SOURCES = { trustListStatus: 'trustListStatusSource', whiteListStatus: 'whiteListStatusSource' }
  for (const messageVersion of VERSIONS) {
    test(`of version ${messageVersion} has no field of another version`, () => {
      for (const [name, value, since, until] of NEW) {
        const source = SOURCES[name as keyof typeof SOURCES]
        const changes = { messageVersion, [name]: value, ...(source && { [source]: '01' }) }
        const isOfVersion = since <= messageVersion && messageVersion <= until
        equal(codeOf(areq({ ...changes }))?.[1]?.includes(name) ?? false, !isOfVersion, name)
      }
    })
  }

  test('of version 2.3.1 names the languages and the acquirer’s country, and has HTTPS addresses', () => {
    const changes = { messageVersion: '2.3.1' }
    for (const name of ['acceptLanguage', 'acquirerCountryCode', 'acquirerCountryCodeSource']) {
      deepEqual(codeOf(without(name, changes)), ['201', name])
    }
    for (const acceptLanguage of ['en', [], ['en;q=0.9'], ['x'.repeat(101)]]) {
      deepEqual(codeOf(areq({ ...changes, acceptLanguage })), ['203', 'acceptLanguage'])
    }
    for (const name of ['threeDSRequestorURL', 'notificationURL']) {
      deepEqual(codeOf(areq({ ...changes, [name]: 'http://shop.example/' })), ['203', name])
      equal(checkAreq(areq({ ...changes, [name]: 'http://localhost:4001/' })), null)
      equal(checkAreq(areq({ [name]: 'http://shop.example/' })), null)
    }
  })
})
