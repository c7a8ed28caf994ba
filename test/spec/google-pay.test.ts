import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { consumeWalletToken, openWalletToken } from '../../server/checkout/pay/wallet-token.ts'
import { findPayable } from '../../server/checkout/sessions/load-session.ts'
import { transaction } from '../../server/db/transaction.ts'
import { rotateRecipientKey } from '../../server/google-pay/change-recipient-keys.ts'
import vectors from '../../server/google-pay/vectors.json' with { type: 'json' }
import { CARDS } from '../support/card-numbers.ts'
import { acceptGooglePay, DEVICE, type WalletOf, walletBody } from '../support/google-pay-shop.ts'
import { privateKeyOf } from '../support/google-pay-tokens.ts'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput } from '../support/sign-up.ts'

// GPY-2 to GPY-9 over HTTP. Refused payments were never sent to the gateway, and do not count as attempts.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
let wallet: WalletOf
/** One session for all refusals: none of them may touch it. */
let refused: string
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  await setBusiness(service, { surcharge_rate_bp: 200 })
  wallet = await acceptGooglePay(service)
  refused = await merchant.sessionToken()
})
after(() => service.close())

const detailsOf = async (token: string) => (await merchant.details(token)).body.checkout_session
const paymentOf = async (token: string) => (await merchant.details(token)).body.transaction
const ledger = () => service.simulator.rows()

async function assertInvalid(token: unknown, reason = 'google_pay_token_invalid', session = refused): Promise<void> {
  const before = (await ledger()).length
  const response = await payer.pay(session, walletBody(token))
  assertRefused(response, 422, 'validation_failed', ['googlePayToken'])
  deepEqual([response.body.reason, response.body.charged], [reason, false])
  const { session_status, attempt_count } = await detailsOf(session)
  deepEqual([session_status, attempt_count], ['PENDING', 0])
  equal((await ledger()).length, before)
}

describe('a payment with Google Pay', () => {
  test('with a card of the account is a card payment without a CVV (GPY-6)', async () => {
    const session = await merchant.sessionToken()
    const { status, body } = await payer.pay(session, walletBody(wallet.token({ pan: CARDS.visa })))
    deepEqual([status, body.ok, body.result?.code], [200, true, 'AA'])
    const paid = await paymentOf(session)
    deepEqual([paid.details.source, paid.association], ['google_pay', 'Visa'])
    equal((await ledger()).at(-1)?.wallet, undefined)
  })

  test('with the number of a device sends its cryptogram to the gateway (GPY-6)', async () => {
    const session = await merchant.sessionToken()
    const { body } = await payer.pay(session, walletBody(wallet.token(DEVICE)))
    equal(body.ok, true)
    equal((await paymentOf(session)).details.source, 'google_pay')
    equal((await ledger()).at(-1)?.wallet, 'google_pay')
  })

  test('that is declined counts like a card, and the token is used (GPY-5)', async () => {
    const session = await merchant.sessionToken()
    const token = wallet.token({ pan: CARDS.declined })
    const { status, body } = await payer.pay(session, walletBody(token))
    deepEqual([status, body.ok, body.attempt_count], [200, false, 1])
    const again = await payer.pay(session, walletBody(token))
    assertRefused(again, 422, 'validation_failed', ['googlePayToken'])
    equal(again.body.reason, 'google_pay_token_reused')
    equal((await detailsOf(session)).attempt_count, 1)
    equal((await payer.pay(session, walletBody(wallet.token()))).body.ok, true)
  })

  test('saves no card, also where every card is saved (GPY-6)', async () => {
    const session = await merchant.sessionToken({ ui_mode: 'embedded' })
    equal((await payer.pay(session, walletBody(wallet.token(DEVICE), { saveCard: true }))).body.ok, true)
    const { body } = await merchant.createSession({ customer_email: 'ana@example.com' })
    deepEqual((await payer.data(body.checkout_session.token)).body.saved_cards, [])
  })

  test('takes the surcharge of a credit card of the account, and none of a device (CHK-47)', async () => {
    const billing_address = { country: 'US', postal_code: '10001', state: 'NY' }
    const pay = async (card: object, amount: number) => {
      const session = await merchant.sessionToken({ amount_total: 100, surcharge: true })
      return (await payer.pay(session, walletBody(wallet.token(card), { amount, billing_address }))).body
    }
    equal((await pay({ pan: CARDS.visa }, 102)).ok, true)
    // The wallet showed the total of the session before its card was known (GPY-11).
    equal((await pay({ pan: CARDS.visa }, 100)).ok, true)
    equal((await pay({ pan: CARDS.visa }, 101)).errors.amount.length, 1)
    equal((await pay({ pan: CARDS.debit }, 100)).ok, true)
    equal((await pay({ ...DEVICE, pan: CARDS.visa }, 100)).ok, true)
    equal((await pay({ ...DEVICE, pan: CARDS.visa }, 102)).errors.amount.length, 1)
  })
})

describe('a token is used once (GPY-5)', () => {
  const pays = (sessions: string[], token: string) =>
    Promise.all(sessions.map((session) => payer.pay(session, walletBody(token))))

  test('CAS-83: used again for another session: 422', async () => {
    const token = wallet.token()
    equal((await payer.pay(await merchant.sessionToken(), walletBody(token))).body.ok, true)
    await assertInvalid(token, 'google_pay_token_reused')
  })

  test('of parallel payments of several sessions one is charged', async () => {
    const before = (await ledger()).length
    const sessions = await Promise.all(Array.from({ length: 6 }, () => merchant.sessionToken()))
    const responses = await pays(sessions, wallet.token())
    equal(responses.filter(({ body }) => body.ok).length, 1)
    for (const { status, body } of responses.filter(({ body }) => !body.ok)) {
      deepEqual([status, body.reason, body.charged], [422, 'google_pay_token_reused', false])
    }
    equal((await ledger()).length, before + 1)
  })

  test('of parallel payments of one session one is charged', async () => {
    const before = (await ledger()).length
    const session = await merchant.sessionToken()
    const responses = await pays(Array(6).fill(session), wallet.token())
    equal(responses.filter(({ body }) => body.ok).length, 1)
    const codes = new Set(responses.filter(({ body }) => !body.ok).map(({ body }) => body.reason ?? body.code))
    for (const code of codes) match(code, /^(?:payment_in_progress|session_completed|google_pay_token_reused)$/)
    equal((await ledger()).length, before + 1)
    equal((await detailsOf(session)).session_status, 'COMPLETED')
  })

  test('also when all have read it before one uses it', async () => {
    const { services } = service.app
    const loaded = await findPayable(services, await merchant.sessionToken())
    const token = wallet.token()
    const cards = await Promise.all(Array.from({ length: 8 }, () => openWalletToken(services, loaded, token)))
    const used = await Promise.allSettled(cards.map((card) => consumeWalletToken(services, { loaded, card })))
    equal(used.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('but refused for its amount it is not used', async () => {
    const token = wallet.token()
    assertRefused(await payer.pay(refused, walletBody(token, { amount: 1 })), 422, 'validation_failed', ['amount'])
    equal((await payer.pay(await merchant.sessionToken(), walletBody(token))).body.ok, true)
  })
})

describe('a token is refused', () => {
  test('that is not a token at all (GPY-2)', async () => {
    for (const token of ['{}', 'x', '[]', '{"protocolVersion":"ECv1"}', '\u0000']) await assertInvalid(token)
    for (const token of [undefined, null, '', {}, 5]) {
      const response = await payer.pay(refused, walletBody(token))
      assertRefused(response, 422, 'validation_failed', ['googlePayToken'])
    }
  })

  test('that is longer than 8 KB: 422; a body that is too large is 413 as ever (GPY-2)', async () => {
    const token = wallet.token()
    await assertInvalid(token + ' '.repeat(9 * 1024 - token.length))
    await assertInvalid(token + ' '.repeat(50 * 1024))
    equal((await payer.pay(refused, walletBody('x'.repeat(70 * 1024)))).status, 413)
  })

  test('for another recipient, and for a key of another business (GPY-4)', async () => {
    await assertInvalid(wallet.token({}, { recipientId: 'merchant:1' }))
    await assertInvalid(wallet.token({}, { recipientId: 'gateway:rialto' }))
    await assertInvalid(wallet.token({}, { publicKey: vectors.keys.merchantPublicRaw }))
  })

  test('that has expired, and one with an expired card (GPY-4)', async () => {
    await assertInvalid(wallet.token({}, { expiresAt: new Date(Date.now() - 1) }), 'google_pay_token_expired')
    await assertInvalid(wallet.token({ expirationYear: 2020 }), 'card_expired')
  })

  test('each is logged with its step, and without the token (GPY-7)', async () => {
    const token = wallet.token({}, { recipientId: 'merchant:1' })
    await assertInvalid(token)
    match(service.logged(), /"step":"message signature"/)
    ok(!service.logged().includes(JSON.parse(token).signature))
  })
})

describe('Google Pay is not available', () => {
  const refuseMethod = async (session: string) =>
    assertRefused(await payer.pay(session, walletBody(wallet.token())), 422, 'validation_failed', [
      'payment_method_type',
    ])

  test('for a subscription, which needs a card that can be stored (GPY-6)', async () => {
    const session = await merchant.sessionToken(planInput())
    await refuseMethod(session)
    equal((await payer.data(session)).body.payment_methods.google_pay.enabled, false)
  })

  test('where the business has it off', async () => {
    await setBusiness(service, { google_pay_enabled: false })
    await refuseMethod(refused)
    equal((await payer.data(refused)).body.payment_methods.google_pay.enabled, false)
    await setBusiness(service, { google_pay_enabled: true })
  })
})

describe('the data of the form', () => {
  test('has what the wallet needs (GPY-1)', async () => {
    const { google_pay } = (await payer.data(refused)).body.payment_methods
    deepEqual(google_pay, {
      enabled: true,
      environment: 'TEST',
      merchant_id: '12345678901234567890',
      merchant_name: google_pay.merchant_name,
      gateway: null,
      gateway_merchant_id: null,
      allowed_card_networks: ['AMEX', 'DISCOVER', 'JCB', 'MASTERCARD', 'VISA'],
      allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
    })
  })

  test('offers only cryptograms, and refuses card numbers, where the business wants that (GPY-6)', async () => {
    const only = await acceptGooglePay(service, { cryptogramOnly: true })
    const { google_pay } = (await payer.data(refused)).body.payment_methods
    deepEqual(google_pay.allowed_auth_methods, ['CRYPTOGRAM_3DS'])
    deepEqual(google_pay.allowed_card_networks, ['AMEX', 'MASTERCARD', 'VISA'])
    await assertInvalid(only.token())
    equal((await payer.pay(await merchant.sessionToken(), walletBody(only.token(DEVICE)))).body.ok, true)
    await acceptGooglePay(service)
  })
})

describe('with 3-D Secure', () => {
  test('a card of the account needs an authentication, and the token stays unused; a device does not (GPY-6)', async () => {
    await setBusiness(service, { three_ds_enabled: true })
    const token = wallet.token()
    const response = await payer.pay(refused, walletBody(token))
    assertRefused(response, 408, 'three_ds_expired')
    equal((await payer.pay(await merchant.sessionToken(), walletBody(wallet.token(DEVICE)))).body.ok, true)
    await setBusiness(service, { three_ds_enabled: false })
    equal((await payer.pay(await merchant.sessionToken(), walletBody(token))).body.ok, true)
  })
})

describe('CAS-82: the published vectors over HTTP', () => {
  before(async () => {
    const privateKey = privateKeyOf(vectors.keys.merchantPrivatePkcs8)
    const pair = { privateKey, publicKey: vectors.keys.merchantPublicRaw }
    const { services } = service.app
    await transaction(services.db, (tx) => rotateRecipientKey({ ...services, db: tx }, wallet.owner, pair))
  })

  for (const { id, recipientId, token, plaintext } of vectors.positive) {
    test(id, async () => {
      const [kind, merchantId = ''] = recipientId.split(':')
      await setBusiness(service, { google_pay_merchant_id: merchantId })
      // The gateway's vector names a different business.
      if (kind === 'gateway') return assertInvalid(token)
      const session = await merchant.sessionToken()
      equal((await payer.pay(session, walletBody(token))).body.ok, true)
      const last4 = JSON.parse(plaintext).paymentMethodDetails.pan.slice(-4)
      match(JSON.stringify(await paymentOf(session)), new RegExp(last4))
      await assertInvalid(token, 'google_pay_token_reused')
    })
  }

  for (const { id, token } of vectors.negative) test(id, () => assertInvalid(token))

  for (const { id, token, code } of vectors.serverRules) {
    test(id, async () => {
      await setBusiness(service, { google_pay_merchant_id: '12345678901234567890' })
      await assertInvalid(token, code)
    })
  }
})
