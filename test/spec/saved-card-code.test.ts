import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../server/lib/ids.ts'
import { addDays, dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { authenticated, dropThreeDs, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { acceptGooglePay, walletBody } from '../support/google-pay-shop.ts'
import { type Merchant, merchantOf, payBody, payerOf, type Response, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, planInput, resolveAll, waitingSubscription } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'
import { makeSubscriber, saveCard } from '../support/subscriber.ts'

// CHK-133: a business that asks for the security code of saved cards.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
let ana: StoredCardIds
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  ana = await storeCard(service, 'ana.code@example.com')
})
beforeEach(() => ask(true))
afterEach(async () => {
  await dropThreeDs(service)
  await setBusiness(service, { cvv_policy: 'accept', avs_policy: 'accept', clock_offset_seconds: 0 })
})
after(async () => {
  await ask(false)
  try {
    await resolveAll(service)
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const ask = (saved_card_cvv_required: boolean) => setBusiness(service, { saved_card_cvv_required })
const boundTo = ({ customerId }: StoredCardIds, input: object = {}) =>
  merchant.sessionToken({ customer_email: undefined, customer_id: customerId, ...input })
const asked = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale' || op === 'verify')
const detailsOf = async (token: string) => (await merchant.details(token)).body.checkout_session

/** Returns the operations of a session at the gateway, with their states and the issuer's result for the code. */
async function operationsOf(token: string): Promise<string[]> {
  const rows = await service.app.services.db
    .selectFrom('operation')
    .select(['kind', 'state', 'cvv_result'])
    .where('owner_id', '=', (await detailsOf(token)).id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind, state, cvv_result }) => `${kind} ${state} ${cvv_result}`)
}

/** Posts what a browser without JavaScript posts on its page. */
function post(token: string, fields: Record<string, string>): Promise<Response> {
  return send(`${service.formUrl}/customer/checkout/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-dest': 'document' },
    body: new URLSearchParams(fields).toString(),
  })
}

/** Every kind of session that a payer pays with a saved card. */
const SESSIONS: Record<string, (card: StoredCardIds) => Promise<string>> = {
  'of a page': (card) => boundTo(card),
  'of an iframe': (card) => boundTo(card, { ui_mode: 'embedded' }),
  'of the modal': async ({ customerId: customer_id }) => {
    const { body } = await merchant.post('/rapid-checkout/create', { amount_total: 25.5, customer_id })
    return body.checkout_session.token
  },
  'that begins a subscription': (card) => boundTo(card, planInput()),
  'that begins one later': (card) =>
    boundTo(card, planInput({}, { start_date: addDays(dayOf(new Date(), 'America/New_York'), 10) })),
}

describe('A saved card is paid with its code', () => {
  for (const [name, newSession] of Object.entries(SESSIONS))
    test(`in a session ${name}, as JSON and as a form: nothing is sent without one`, async () => {
      const before = (await asked()).length
      const token = await newSession(ana)
      equal((await payer.data(token)).body.payment_methods.saved_card.cvv_required, true)
      for (const none of [{}, { cvv: '' }, { cvv: ' ' }, { cvv: null }]) {
        const refused = await payer.pay(token, savedCardBody(ana.cardId, none))
        assertRefused(refused, 422, 'validation_failed', ['cvv'])
        match(refused.body.message, /^cvv is required/)
      }
      for (const saved_cvc of ['', ' ', 'abc', '12', '1234']) {
        const { body } = await post(token, { payment_method: `saved:${ana.cardId}`, saved_cvc })
        match(body, /<div id="saved-code">.*aria-invalid="true".*id="saved_cvc-error">Enter the security code\./s)
      }
      equal((await asked()).length, before)
      const { attempt_count, payment_status } = await detailsOf(token)
      deepEqual([attempt_count, payment_status], [0, 'UNPAID'])
      equal((await payer.pay(token, savedCardBody(ana.cardId, { cvv: '123' }))).body.ok, true)
      const row = (await asked()).at(-1)
      deepEqual([row?.cvvPresent, row?.storedCredential?.initiator, row?.warnings], [true, 'cardholder', undefined])
    })

  for (const [name, newSession] of Object.entries(SESSIONS))
    test(`in a session ${name}, posted without JavaScript`, async () => {
      const token = await newSession(ana)
      const { body } = await post(token, { payment_method: `saved:${ana.cardId}`, saved_cvc: ' 1 2 ３ ' })
      match(body, /data-state="approved"|approved/i)
      equal((await asked()).at(-1)?.cvvPresent, true)
      equal((await detailsOf(token)).session_status, 'COMPLETED')
    })

  test('on the link of a subscription that waits for a card', async () => {
    const api = merchantApiOf(service)
    const made = await waitingSubscription(api)
    const cardId = await saveCard(service, made.customer)
    const token = await openedLink(made.checkout_url)
    assertRefused(await payer.pay(token, savedCardBody(cardId, { amount: 25 })), 422, 'validation_failed', ['cvv'])
    equal((await payer.pay(token, savedCardBody(cardId, { amount: 25, cvv: '123' }))).body.ok, true)
    deepEqual([(await asked()).at(-1)?.cvvPresent], [true])
  })

  test('no other value than the digits of its brand is one', async () => {
    const amex = await storeCard(service, 'amex.code@example.com', { cardNumber: CARDS.amex, cvv: '1234' })
    const [ofVisa, ofAmex] = [await boundTo(ana), await boundTo(amex)]
    const isCode = (cvv: unknown, length: number) => typeof cvv === 'string' && new RegExp(`^\\d{${length}}$`).test(cvv)
    // Such a key is refused for the body, before any field is looked at.
    const hasForbiddenKey = (value: unknown) => /"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(value))
    const values = fc.oneof(
      fc.jsonValue().filter((value) => !hasForbiddenKey(value)),
      fc.stringMatching(/^\d{0,6}$/),
      fc.constantFrom(...['12a', '１２３', '-12', '1 3', '12\n', '٣٢١', '1234', '123']),
      fc.constantFrom(123, 1234, true, ['123'], { cvv: '123' }),
    )
    const before = (await asked()).length
    await fc.assert(
      fc.asyncProperty(values, async (cvv) => {
        for (const [token, { cardId }, length] of [
          [ofVisa, ana, 3],
          [ofAmex, amex, 4],
        ] as const) {
          if (isCode(cvv, length)) continue
          const refused = await payer.pay(token, savedCardBody(cardId, { cvv }))
          equal(refused.status, 422, JSON.stringify(cvv))
          ok(
            Object.keys(refused.body.errors).every((field) => field.startsWith('cvv')),
            JSON.stringify(refused.body),
          )
        }
      }),
      { numRuns: 60 },
    )
    equal((await asked()).length, before)
    equal((await payer.pay(ofAmex, savedCardBody(amex.cardId, { cvv: '1234' }))).body.ok, true)
  })

  test('the setting of now counts, not that of the page', async () => {
    await ask(false)
    const token = await boundTo(ana)
    const page = await send(`${service.formUrl}/customer/checkout/${token}`)
    match(page.body, /<div id="saved-code" hidden>/)
    equal((await payer.data(token)).body.payment_methods.saved_card.cvv_required, false)
    await ask(true)
    assertRefused(await payer.pay(token, savedCardBody(ana.cardId)), 422, 'validation_failed', ['cvv'])
    await ask(false)
    equal((await payer.pay(token, savedCardBody(ana.cardId))).body.ok, true)
  })

  test('a refused post comes back with the card that was chosen', async () => {
    const { cardId } = await storeCard(service, 'ana.code@example.com', { cardNumber: CARDS.mastercard })
    const token = await boundTo(ana)
    const checked = async (fields: Record<string, string>) =>
      /<input type="radio" name="payment_method" value="([^"]+)"[^>]* checked/.exec(
        (await post(token, fields)).body,
      )?.[1]
    for (const method of [`saved:${ana.cardId}`, `saved:${cardId}`, 'new_card'])
      equal(await checked({ payment_method: method }), method)
    equal(await checked({ payment_method: `saved:${newId()}` }), `saved:${cardId}`)
  })
})

describe('The code that was typed', () => {
  test('is compared like that of a typed card: a mismatch is an attempt, and is voided where the policy says so', async () => {
    const card = await storeCard(service, 'mismatch.code@example.com', { cardNumber: CARDS.approvedCvvMismatch })
    const token = await boundTo(card)
    for (const [policy, cvv, expected] of [
      ['accept', '000', [false, 'N7', 1]],
      ['decline_mismatch', '123', [false, 'N7', 2]],
      ['accept', '123', [true, undefined, undefined]],
    ] as const) {
      await setBusiness(service, { cvv_policy: policy })
      const { body } = await payer.pay(token, savedCardBody(card.cardId, { cvv }))
      deepEqual([body.ok, body.code, body.attempt_count], expected)
    }
    deepEqual(await operationsOf(token), [
      'sale DECLINED N',
      'sale REVERSED N',
      'reversal_void APPROVED null',
      'sale APPROVED N',
    ])
  })

  test('the policy of the address stays that of typed cards', async () => {
    const card = await storeCard(service, 'address.code@example.com', { cardNumber: CARDS.avsNone })
    await setBusiness(service, { cvv_policy: 'require_match', avs_policy: 'require_match' })
    equal((await payer.pay(await boundTo(card), savedCardBody(card.cardId, { cvv: '123' }))).body.ok, true)
  })

  test('is typed again after a decline', async () => {
    const token = await boundTo(ana)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    equal((await payer.pay(token, savedCardBody(ana.cardId, { cvv: '123' }))).body.code, 'ND')
    assertRefused(await payer.pay(token, savedCardBody(ana.cardId)), 422, 'validation_failed', ['cvv'])
    equal((await payer.pay(token, savedCardBody(ana.cardId, { cvv: '123' }))).body.ok, true)
    // A repeated pay request learns that the session is paid, whatever it contains.
    for (const more of [{}, { cvv: '321' }])
      assertRefused(await payer.pay(token, savedCardBody(ana.cardId, more)), 400, 'session_completed')
  })

  test('recovery finds the outcome of a sale without it', async () => {
    const token = await boundTo(ana)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'silent_recorded' }] })
    assertRefused(await payer.pay(token, savedCardBody(ana.cardId, { cvv: '123' })), 400, 'gateway_timeout')
    await resolveAll(service)
    deepEqual(await operationsOf(token), ['sale REVERSED null', 'reversal_void APPROVED null'])
    equal((await payer.pay(token, savedCardBody(ana.cardId, { cvv: '123' }))).body.ok, true)
  })

  test('is taken by pay alone, and an authentication waits for it', async () => {
    await requireThreeDs(service)
    const token = await boundTo(ana)
    for (const card of [savedCardBody(ana.cardId, { cvv: '123' }), { ...savedCardBody(ana.cardId), cvv: 123 }]) {
      const init = await send(`${service.url}/api/${service.demo.business_id}/ddd/init`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ session_token: token, ...card }),
      })
      assertRefused(init, 422, 'validation_failed', ['cvv'])
    }
    const row = { source: 'saved_card', stored_card_id: ana.cardId }
    const { dddSessionId: three_ds_id } = await authenticated(service, { token, row })
    const pay = (more: object) => payer.pay(token, savedCardBody(ana.cardId, { three_ds_id, ...more }))
    assertRefused(await pay({}), 422, 'validation_failed', ['cvv'])
    equal((await pay({ cvv: '123' })).body.ok, true)
    const sale = (await asked()).at(-1)
    deepEqual([sale?.cvvPresent, sale?.threeDs?.cavv], [true, 'present'])
  })
})

describe('Not asked for a code', () => {
  test('are charges without the payer: sales of the merchant, subscriptions and their bills', async () => {
    equal((await sellTo(service, ana)).body.ok, true)
    const { api, customer, payment_method, price } = await makeSubscriber(service)
    const made = await api.made('/subscriptions', { customer, payment_method, price })
    equal((await api.post('/test_clock/advance', { seconds: 32 * 86_400 })).status, 200)
    const { data } = (await api.get(`/subscriptions/${made.id}/payments`)).body
    deepEqual(
      data.map(({ status }: { status: string }) => status),
      ['succeeded', 'succeeded'],
    )
    const rows = (await asked()).filter(({ storedCredential }) => storedCredential?.initiator === 'merchant')
    ok(rows.length >= 3)
    for (const row of rows) deepEqual([row.cvvPresent ?? false, row.warnings ?? []], [false, []])
  })

  test('are typed cards, which have theirs, and Google Pay', async () => {
    const wallet = await acceptGooglePay(service)
    equal((await payer.pay(await boundTo(ana), walletBody(wallet.token({ pan: CARDS.visa })))).body.ok, true)
    equal((await payer.pay(await boundTo(ana))).body.ok, true)
    const { cvv: _cvv, ...uncoded } = payBody().cardData
    const misplaced = { ...payBody(), cardData: uncoded, cvv: '123' }
    assertRefused(await payer.pay(await boundTo(ana), misplaced), 422, 'validation_failed', ['cardData.cvv'])
  })

  test('is anybody where the business does not ask: a code that is sent is ignored', async () => {
    await ask(false)
    for (const cvv of ['123', '000', 'x', '', 7, null, { a: [1] }]) {
      equal((await payer.pay(await boundTo(ana), savedCardBody(ana.cardId, { cvv }))).body.ok, true)
      equal((await asked()).at(-1)?.cvvPresent ?? false, false)
    }
    const { body } = await post(await boundTo(ana), { payment_method: `saved:${ana.cardId}`, saved_cvc: '000' })
    match(body, /approved/i)
    equal((await asked()).at(-1)?.cvvPresent ?? false, false)
  })
})
