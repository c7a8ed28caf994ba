import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { AvsPolicy, CvvPolicy } from '../../contract/card-checks.ts'
import { newId } from '../../server/lib/ids.ts'
import { addDays, dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { authenticated, dropThreeDs, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { acceptGooglePay, walletBody } from '../support/google-pay-shop.ts'
import { type Merchant, merchantOf, payBody, payerOf, send } from '../support/merchant.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput, resolveAll } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'
import { makeSubscriber } from '../support/subscriber.ts'

// PAY-29, GTW-18: approvals of typed cards that the policy of the business refuses.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
beforeEach(() => setPolicies('accept', 'accept'))
after(async () => {
  await dropThreeDs(service)
  try {
    await resolveAll(service)
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const setPolicies = (cvv_policy: CvvPolicy, avs_policy: AvsPolicy = 'accept') =>
  setBusiness(service, { cvv_policy, avs_policy })
const newSession = (input: object = {}) => merchant.sessionToken({ customer_email: `${newId()}@example.com`, ...input })
const detailsOf = async (token: string) => (await merchant.details(token)).body.checkout_session

/** Returns the operations of a session at the gateway, with their states. */
async function operationsOf(token: string) {
  const { id } = await detailsOf(token)
  const rows = await service.app.services.db
    .selectFrom('operation')
    .select(['kind', 'state', 'code', 'counts_as_attempt', 'cvv_result', 'avs_result', 'issuer_reference'])
    .where('owner_id', '=', id)
    .orderBy('id')
    .execute()
  return rows
}
const statesOf = async (token: string) => (await operationsOf(token)).map(({ kind, state }) => `${kind} ${state}`)

async function assertRefused(token: string, body: object, attempt = 1): Promise<void> {
  const response = await payer.pay(token, body)
  const { ok, code, attempt_count, charged } = response.body
  deepEqual([response.status, ok, code, attempt_count, charged], [200, false, 'N7', attempt, false])
}

describe('An approval that the policy refuses', () => {
  const rows: [CvvPolicy, AvsPolicy, card: string, cvv: string, refused: boolean][] = [
    ['accept', 'accept', CARDS.approvedCvvMismatch, '123', false],
    ['decline_mismatch', 'accept', CARDS.approvedCvvMismatch, '123', true],
    ['decline_mismatch', 'accept', CARDS.visa, '001', false],
    ['require_match', 'accept', CARDS.visa, '001', true],
    ['require_match', 'accept', CARDS.visa, '123', false],
    ['accept', 'decline_no_match', CARDS.avsNone, '123', true],
    ['accept', 'decline_no_match', CARDS.avsNoPostalCode, '123', false],
    ['accept', 'decline_postal_mismatch', CARDS.avsNoPostalCode, '123', true],
    ['accept', 'decline_postal_mismatch', CARDS.avsNoStreet, '123', false],
    ['accept', 'decline_any_mismatch', CARDS.avsNoStreet, '123', true],
    ['accept', 'decline_any_mismatch', CARDS.avsUnverified, '123', false],
    ['accept', 'require_match', CARDS.avsUnverified, '123', true],
    ['require_match', 'require_match', CARDS.visa, '123', false],
  ]
  for (const [cvv_policy, avs_policy, card, cvv, isRefused] of rows)
    test(`${cvv_policy}, ${avs_policy}: ${card} with ${cvv} is ${isRefused ? 'voided' : 'kept'}`, async () => {
      await setPolicies(cvv_policy, avs_policy)
      const token = await newSession()
      if (isRefused) await assertRefused(token, payBody(card, { cvv }))
      else equal((await payer.pay(token, payBody(card, { cvv }))).body.result?.code, 'AA')
      deepEqual(await statesOf(token), isRefused ? ['sale REVERSED', 'reversal_void APPROVED'] : ['sale APPROVED'])
    })

  test('is on record as the decline, with what the issuer found, and the payer may pay with another card', async () => {
    await setPolicies('decline_mismatch')
    const token = await newSession()
    await assertRefused(token, payBody(CARDS.approvedCvvMismatch, { saveCard: true }))
    const [sale] = await operationsOf(token)
    deepEqual([sale?.code, sale?.counts_as_attempt, sale?.cvv_result, sale?.avs_result], ['N7', true, 'N', 'Y'])
    match(sale?.issuer_reference ?? '', /^A\d{5}$/)
    const { last_decline, session_status } = await detailsOf(token)
    deepEqual([last_decline.code, session_status], ['N7', 'PENDING'])
    equal(last_decline.message, 'Approved, and reversed by the policy of the business for the security code (N)')
    equal((await payer.pay(token)).body.result?.code, 'AA')
  })

  test('three times ends the session, with one event and nothing held', async () => {
    await setPolicies('decline_mismatch')
    const token = await newSession()
    for (const attempt of [1, 2, 3]) await assertRefused(token, payBody(CARDS.approvedCvvMismatch), attempt)
    const { id, session_status, last_decline } = await detailsOf(token)
    deepEqual([session_status, last_decline.code], ['FAILED', 'N7'])
    deepEqual(
      (await eventsOf(service, id)).map(({ type }) => type),
      ['checkout.session.failed'],
    )
    equal((await statesOf(token)).filter((state) => state === 'sale REVERSED').length, 3)
  })

  test('after 3-D Secure is voided too, and its authentication is used', async () => {
    await setPolicies('accept', 'decline_no_match')
    await requireThreeDs(service)
    const token = await newSession()
    await authenticated(service, { token, number: CARDS.avsNone })
    await assertRefused(token, payBody(CARDS.avsNone))
    deepEqual(await statesOf(token), ['sale REVERSED', 'reversal_void APPROVED'])
    await dropThreeDs(service)
  })
})

describe('A subscription', () => {
  test('whose first bill is approved against the policy does not begin', async () => {
    await setPolicies('decline_mismatch')
    const token = await newSession(planInput())
    await assertRefused(token, payBody(CARDS.approvedCvvMismatch))
    const { subscription_id } = await detailsOf(token)
    deepEqual([subscription_id, await statesOf(token)], [null, ['sale REVERSED', 'reversal_void APPROVED']])
    equal((await payer.pay(token)).body.ok, true)
  })

  test('that begins later takes no card whose verification is against the policy; nothing is voided', async () => {
    await setPolicies('accept', 'require_match')
    const start_date = addDays(dayOf(new Date(), 'America/New_York'), 10)
    const token = await newSession(planInput({}, { start_date }))
    await assertRefused(token, payBody(CARDS.avsNone))
    deepEqual([(await detailsOf(token)).subscription_id, await statesOf(token)], [null, []])
    equal((await payer.pay(token)).body.ok, true)
  })
})

describe('The policies do not apply to', () => {
  test('a saved card of the payer, a sale of the merchant, a subscription and its bills', async () => {
    const { customerId, cardId } = await storeCard(service, `${newId()}@example.com`, { cardNumber: CARDS.avsNone })
    await setPolicies('require_match', 'require_match')
    const token = await newSession({ customer_id: customerId, customer_email: undefined })
    equal((await payer.pay(token, savedCardBody(cardId))).body.ok, true)
    equal((await sellTo(service, { customerId, cardId })).body.ok, true)
    await setPolicies('accept')
    const ana = await makeSubscriber(service)
    await setPolicies('require_match', 'require_match')
    const { customer, payment_method, price } = ana
    const made = await ana.api.made('/subscriptions', { customer, payment_method, price })
    equal(made.status, 'active')
    equal((await ana.api.post('/test_clock/advance', { seconds: 32 * 86_400 })).status, 200)
    const { data } = (await ana.api.get(`/subscriptions/${made.id}/payments`)).body
    deepEqual(
      data.map(({ status }: { status: string }) => status),
      ['succeeded', 'succeeded'],
    )
    await setBusiness(service, { clock_offset_seconds: 0 })
  })

  test('Google Pay', async () => {
    const wallet = await acceptGooglePay(service)
    await setPolicies('require_match', 'require_match')
    const token = await newSession()
    equal((await payer.pay(token, walletBody(wallet.token({ pan: CARDS.visa })))).body.ok, true)
  })
})

describe('The address that the policy compares', () => {
  const typedWith = (address: object) => payBody(CARDS.visa, { address })
  const comparedIn = async (token: string) => {
    const { body } = await send(`${service.url}/api/checkout/${token}/data`)
    return body.payment_methods.card.compared_address
  }
  const rows: [AvsPolicy, compared: string, address: object, missing: string[]][] = [
    ['accept', 'none', {}, []],
    ['decline_no_match', 'postal_code', { line1: '1 Main Street' }, ['postalCode']],
    ['decline_postal_mismatch', 'postal_code', { postalCode: ' ' }, ['postalCode']],
    ['decline_postal_mismatch', 'postal_code', { postalCode: '10001' }, []],
    ['decline_any_mismatch', 'street', { postalCode: '10001' }, ['line1']],
    ['require_match', 'street', {}, ['postalCode', 'line1']],
    ['require_match', 'street', { postalCode: '10001', line1: '1 Main Street' }, []],
  ]
  for (const [policy, compared, address, missing] of rows)
    test(`CHK-61: ${policy} takes ${JSON.stringify(address)}${missing.length ? `: 422 on ${missing}` : ''}`, async () => {
      await setPolicies('accept', policy)
      const token = await newSession()
      equal(await comparedIn(token), compared)
      const { status, body } = await payer.pay(token, typedWith(address))
      const errors = Object.fromEntries(missing.map((part) => [`cardData.address.${part}`, ['is required']]))
      deepEqual([status, body.errors ?? {}], [missing.length ? 422 : 200, errors])
      deepEqual(await statesOf(token), missing.length ? [] : ['sale APPROVED'])
    })

  for (const [policy, country, given, lacks] of [
    ['decline_postal_mismatch', 'HK', {}, ['line1']],
    ['decline_postal_mismatch', 'IE', {}, ['line1']],
    ['decline_postal_mismatch', 'IE', { postalCode: 'D02 AF30' }, []],
    ['decline_any_mismatch', 'AE', { line1: '12 Al Wasl Road' }, []],
    ['decline_no_match', 'HK', { line1: '88 Queensway' }, []],
    ['decline_no_match', 'DE', { line1: 'Unter den Linden 1' }, ['postalCode']],
  ] as const)
    test(`CHK-122: ${policy} compares the street in ${country}, given ${JSON.stringify(given)}`, async () => {
      await setPolicies('accept', policy)
      const token = await newSession()
      const typed = payBody(CARDS.visa, { address: given }, { billing_address: { country } })
      const { status, body } = await payer.pay(token, typed)
      const errors = lacks.map((part) => [`cardData.address.${part}`, ['is required']])
      deepEqual([status, body.errors ?? {}], [lacks.length === 0 ? 200 : 422, Object.fromEntries(errors)])
    })

  const places: [policy: AvsPolicy, place: Record<string, string>, code: string, message: string | null][] = [
    ['decline_postal_mismatch', { country: 'US' }, 'H2X 1Y4', 'must be a ZIP code, such as 10001'],
    ['decline_postal_mismatch', { country: 'CA' }, '10001', 'must be a postal code, such as H2X 1Y4'],
    ['decline_postal_mismatch', { country: 'CA' }, 'h2x1y4', null],
    ['decline_postal_mismatch', { country: 'US' }, '10001-1234', null],
    ['decline_postal_mismatch', { country: 'GB' }, 'SW1A 1AA', null],
    ['decline_postal_mismatch', { country: 'IE' }, 'X', null],
    ['decline_postal_mismatch', {}, 'H2X 1Y4', null],
    ['accept', { country: 'US' }, 'H2X 1Y4', null],
  ]
  for (const [policy, place, code, message] of places)
    test(`CHK-61: ${policy} takes ${code} with ${JSON.stringify(place)}${message ? ': 422' : ''}`, async () => {
      await setPolicies('accept', policy)
      const token = await newSession()
      const typed = payBody(CARDS.visa, { address: { postalCode: code } }, { billing_address: place })
      const { status, body } = await payer.pay(token, typed)
      const errors = message === null ? {} : { 'cardData.address.postalCode': [message] }
      deepEqual([status, body.errors ?? {}], [message === null ? 200 : 422, errors])
      deepEqual(await statesOf(token), message === null ? ['sale APPROVED'] : [])
    })
})
