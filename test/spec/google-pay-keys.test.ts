import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { googlePayCommand } from '../../server/google-pay/google-pay-command.ts'
import vectors from '../../server/google-pay/vectors.json' with { type: 'json' }
import { acceptGooglePay, DEVICE, walletBody } from '../support/google-pay-shop.ts'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { dumpRows } from '../support/whole-database.ts'

// GPY-3, GPY-9, GPY-10: the recipients of tokens, the keys that open them, and without which keys there is no Google
// Pay.

let service: TestService
let merchant: Merchant
let other: SecondMerchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  other = await secondMerchant(service)
  payer = payerOf(service)
})
after(() => service.close())

async function refusedWith(token: string, reason = 'google_pay_token_invalid'): Promise<void> {
  const session = await merchant.sessionToken()
  const response = await payer.pay(session, walletBody(token))
  assertRefused(response, 422, 'validation_failed', ['googlePayToken'])
  equal(response.body.reason, reason)
  equal((await merchant.details(session)).body.checkout_session.attempt_count, 0)
}

async function accepted(token: string): Promise<void> {
  equal((await payer.pay(await merchant.sessionToken(), walletBody(token))).body.ok, true)
}

const command = (...args: string[]) =>
  googlePayCommand({ ...service.app.services, environment: 'staging', gateway: 'rialto' }, args)

describe('a token for a merchant id', () => {
  test('is refused for another business, which pays with one of its own, also with the same message id (GPY-4)', async () => {
    const ours = await acceptGooglePay(service)
    const theirs = await acceptGooglePay(service, { businessId: other.demo.business_id, merchantId: 'OTHER' })
    const messageId = 'of-both'
    await refusedWith(theirs.token())
    await refusedWith(theirs.token({}, { recipientId: 'merchant:12345678901234567890' }))
    await accepted(ours.token({}, { messageId }))
    const session = await other.sessionToken({
      success_url: 'https://other.example/a',
      cancel_url: 'https://other.example/b',
    })
    equal((await payer.pay(session, walletBody(theirs.token({}, { messageId })))).body.ok, true)
  })

  test('is opened by the old key and the new one, until the old one is retired (GPY-10)', async () => {
    const wallet = await acceptGooglePay(service)
    const business = ['--business', service.demo.business_id]
    match(await command('rotate', ...business), /active/)
    const { key } = await acceptGooglePay(service)
    ok(key.publicKey !== wallet.key.publicKey)
    await accepted(wallet.token())
    await accepted(wallet.token({}, { publicKey: key.publicKey }))
    await command('retire', '--key', wallet.key.id, ...business)
    await refusedWith(wallet.token())
    await accepted(wallet.token({}, { publicKey: key.publicKey }))
  })
})

describe('a token for the gateway (GPY-9)', () => {
  test('names its business', async () => {
    const wallet = await acceptGooglePay(service, { merchantId: null })
    const { google_pay } = (await payer.data(await merchant.sessionToken())).body.payment_methods
    deepEqual(
      [google_pay.enabled, google_pay.merchant_id, google_pay.gateway, google_pay.gateway_merchant_id],
      [true, null, 'rialto', service.demo.business_id],
    )
    await accepted(wallet.token())
    await accepted(wallet.token(DEVICE))
    await refusedWith(wallet.token({}, { gatewayMerchantId: other.demo.business_id }))
    await refusedWith(wallet.token({}, { gatewayMerchantId: undefined }))
    await refusedWith(wallet.token({}, { recipientId: 'gateway:other' }))
    const theirs = await acceptGooglePay(service, { businessId: other.demo.business_id, merchantId: null })
    await refusedWith(theirs.token())
  })

  test('the button names the operator’s merchant id (GPY-11)', async () => {
    await acceptGooglePay(service, { merchantId: null })
    await using beside = await openService({ beside: service, config: { googlePayMerchantId: 'BCR2DN4T' } })
    const { google_pay } = (await payerOf(beside).data(await merchantOf(beside).sessionToken())).body.payment_methods
    deepEqual([google_pay.merchant_id, google_pay.gateway], ['BCR2DN4T', 'rialto'])
  })

  test('is refused where this service is not a gateway, and nothing is offered', async () => {
    await acceptGooglePay(service, { merchantId: null })
    await using beside = await openService({ beside: service, config: { googlePayGateway: null } })
    const session = await merchantOf(beside).sessionToken()
    equal((await payerOf(beside).data(session)).body.payment_methods.google_pay.enabled, false)
    assertRefused(await payerOf(beside).pay(session, walletBody('{}')), 502, 'google_pay_unavailable')
  })
})

describe("Google's root keys (GPY-3)", () => {
  test('missing: Google Pay is not offered, a payment is 502, and does not count', async () => {
    const wallet = await acceptGooglePay(service)
    const config = { googlePayRootKeysUrl: 'http://127.0.0.1:1/keys.json' }
    await using beside = await openService({ beside: service, config })
    const session = await merchantOf(beside).sessionToken()
    equal((await payerOf(beside).data(session)).body.payment_methods.google_pay.enabled, false)
    const response = await payerOf(beside).pay(session, walletBody(wallet.token()))
    assertRefused(response, 502, 'google_pay_unavailable')
    equal(response.body.charged, false)
    equal((await merchantOf(beside).details(session)).body.checkout_session.attempt_count, 0)
    deepEqual(await beside.simulator.rows(), [])
  })

  test('are fetched only once a business has Google Pay, and the simulated wallet is not trusted beside them', async () => {
    let calls = 0
    const { unrelatedSigningPublic: keyValue } = vectors.keys
    const google = createServer((_request, response) => {
      calls += 1
      const key = { keyValue, protocolVersion: 'ECv2', keyExpiration: '32506264800000' }
      response.end(JSON.stringify({ keys: [key] }))
    })
    await new Promise<void>((listening) => google.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(google.address() as AddressInfo).port}/keys.json`
    await using beside = await openService({ beside: service, config: { googlePayRootKeysUrl: url } })
    const wallet = await acceptGooglePay(service)
    await setBusiness(beside, { google_pay_enabled: false })
    const session = await merchantOf(beside).sessionToken()
    equal((await payerOf(beside).data(session)).body.payment_methods.google_pay.enabled, false)
    await payerOf(beside).pay(session, walletBody(wallet.token()))
    equal(calls, 0)
    await setBusiness(beside, { google_pay_enabled: true })
    equal((await payerOf(beside).data(session)).body.payment_methods.google_pay.enabled, true)
    const response = await payerOf(beside).pay(session, walletBody(wallet.token()))
    assertRefused(response, 422, 'validation_failed', ['googlePayToken'])
    match(beside.logged(), /"step":"key signature"/)
    equal(calls, 1)
    google.close()
  })
})

test('no card number and no cryptogram is in the log or the database (VLT-9)', async () => {
  const wallet = await acceptGooglePay(service)
  await accepted(wallet.token())
  await accepted(wallet.token(DEVICE))
  await refusedWith(wallet.token({ expirationYear: 2020 }), 'card_expired')
  const kept = `${service.logged()}\n${await dumpRows(service.databaseUrl)}`
  const { pan, cryptogram = '' } = DEVICE
  for (const secret of [pan, '4111111111111111', cryptogram]) {
    for (const spelling of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, -4),
    ]) {
      equal(kept.includes(spelling), false)
    }
  }
})
