import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { needsCity, needsPostalCode } from '../../contract/address-parts.ts'
import { COUNTRIES, isKnownCountry } from '../../contract/places.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(() => service.close())

describe('The addresses of a payment', () => {
  const required = { billing_address_collection: 'required', shipping_address_collection: 'required' }
  const withAddresses = (address: object) =>
    payBody(undefined, {}, { billing_address: address, shipping_address: address })
  for (const country of COUNTRIES)
    test(`CHK-122: an address in ${country} lacks only what its country has`, async () => {
      const token = await merchant.sessionToken(required)
      const { status, body } = await payer.pay(token, withAddresses({ country }))
      const parts = [
        ...['line1'],
        ...(needsCity(country) ? ['city'] : []),
        ...(needsPostalCode(country) ? ['postal_code'] : []),
        ...(isKnownCountry(country) ? ['state'] : []),
      ]
      const named = ['billing_address', 'shipping_address'].flatMap((field) => parts.map((part) => `${field}.${part}`))
      deepEqual([status, Object.keys(body.errors).sort()], [422, named.sort()])
    })

  for (const address of [
    { line1: '88 Queensway', country: 'HK' },
    { line1: '12 Al Wasl Road', city: 'Dubai', country: 'AE' },
    { line1: '1 Main Street', city: 'Dublin', country: 'IE' },
    { line1: '10 Bayfront Avenue', postal_code: '018956', country: 'SG' },
    // Parts that a payer enters anyway are stored.
    { line1: '88 Queensway', city: 'Hong Kong', postal_code: '000', country: 'HK' },
  ])
    test(`CHK-122: a complete address pays: ${JSON.stringify(address)}`, async () => {
      const token = await merchant.sessionToken(required)
      const { status, body } = await payer.pay(token, withAddresses(address))
      equal(status, 200, JSON.stringify(body))
    })

  test('the page without JavaScript asks for the state too', async () => {
    const token = await merchant.sessionToken({ billing_address_collection: 'required' })
    const card = { cardnumber: CARDS.visa, exp: '12/31', cvc: '123', ccname: 'Ana Roy' }
    const address = { line1: '1 Main', city: 'Albany', postal: '12207', country: 'US', state_ca: 'QC' }
    const post = (more: object) =>
      send(`${service.formUrl}/customer/checkout/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...card, ...address, ...more }).toString(),
      })
    match((await post({})).body, /id="state_us-error">Choose or enter the state/)
    match((await post({ state_us: 'NY' })).body, /Payment (?:approved|successful)|approved/i)
  })
})
