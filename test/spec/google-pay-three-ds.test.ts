import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { acceptGooglePay, DEVICE, type WalletOf, walletBody } from '../support/google-pay-shop.ts'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { threeDsOf } from '../support/three-ds.ts'

// GPY-6 with TDS-2, TDS-8: a card of a Google account is authenticated, a device number is not.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
let threeDs: ReturnType<typeof threeDsOf>
let wallet: WalletOf
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  threeDs = threeDsOf(service)
  await setBusiness(service, { three_ds_enabled: true })
  wallet = await acceptGooglePay(service)
})
after(() => service.close())

const ofWallet = (googlePayToken: string) => ({ ...walletBody(googlePayToken), cardData: undefined })

describe('a payment with Google Pay of a business with 3-D Secure', () => {
  test('with a card of the account is authenticated, and paid with the same token', async () => {
    const session = await merchant.sessionToken()
    const token = wallet.token()
    assertRefused(await payer.pay(session, walletBody(token)), 408, 'three_ds_expired')
    const id = await threeDs.authenticated(session, ofWallet(token))
    const { body } = await payer.pay(session, walletBody(token, { three_ds_id: id }))
    equal(body.ok, true, JSON.stringify(body))
    equal((await service.simulator.rows()).at(-1)?.threeDs?.transStatus, 'Y')
  })

  test('with the number of a device needs none, and sends none', async () => {
    const session = await merchant.sessionToken()
    const token = wallet.token(DEVICE)
    const { status, body } = await threeDs.init(session, ofWallet(token))
    deepEqual([status, body.status], [200, 'not_required'])
    equal((await payer.pay(session, walletBody(token))).body.ok, true)
    equal((await service.simulator.rows()).at(-1)?.threeDs, undefined)
  })

  test('is not begun with a token that was used, or that is not valid', async () => {
    const used = wallet.token(DEVICE)
    equal((await payer.pay(await merchant.sessionToken(), walletBody(used))).body.ok, true)
    const session = await merchant.sessionToken()
    for (const token of [used, wallet.token({}, { recipientId: 'merchant:1' }), '{}']) {
      assertRefused(await threeDs.init(session, ofWallet(token)), 422, 'validation_failed', ['googlePayToken'])
    }
    equal((await merchant.details(session)).body.checkout_session.attempt_count, 0)
  })

  test('does not take the authentication of another card', async () => {
    const session = await merchant.sessionToken()
    await threeDs.authenticated(session, ofWallet(wallet.token()))
    const other = wallet.token({ pan: '4242424242424242' })
    assertRefused(await payer.pay(session, walletBody(other)), 408, 'three_ds_expired')
  })
})
