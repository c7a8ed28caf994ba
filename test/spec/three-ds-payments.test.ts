import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { addSeconds } from '../../server/lib/clock.ts'
import { newId } from '../../server/lib/ids.ts'
import { authenticated, dropThreeDs, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// TDS-8, TDS-26 for every surface: one charge per authentication, and none without.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
let stored: StoredCardIds
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  stored = await storeCard(service, 'ana@example.com')
})
beforeEach(() => requireThreeDs(service))
after(async () => {
  // Some paid while it was off.
  await dropThreeDs(service)
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const rows = () => service.simulator.rows()
const newSession = (input: object = {}) => merchant.sessionToken({ customer_email: `${newId()}@example.com`, ...input })
const modalToken = async () => {
  const { body } = await merchant.post('/rapid-checkout/create', {
    amount_total: 25.5,
    customer_email: 'bo@example.com',
  })
  return body.checkout_session.token as string
}

/** Asserts that no gateway is called, nothing is written, and the session can still be paid. */
async function assertRefusedUnpaid(token: string, body: object): Promise<void> {
  const [sent, counted] = [(await rows()).length, await countRows(service.databaseUrl)]
  const refused = await payer.pay(token, body)
  assertRefused(refused, 408, 'three_ds_expired')
  equal(refused.body.charged, false)
  deepEqual([(await rows()).length, await addedRows(service.databaseUrl, counted)], [sent, {}])
  equal((await payer.validate(token)).body.status, 'PENDING')
}

describe('A payment of a business with 3-D Secure', () => {
  for (const [surface, open] of [
    ['the hosted page', newSession],
    ['an embedded page', () => newSession({ ui_mode: 'embedded', origin: 'https://shop.example' })],
    ['the modal', modalToken],
  ] as const)
    test(`ATT-105: on ${surface} is refused without an authentication, and approved with it`, async () => {
      const token = await open()
      await assertRefusedUnpaid(token, payBody())
      await authenticated(service, { token })
      const { status, body } = await payer.pay(token, payBody())
      deepEqual([status, body.ok], [200, true], JSON.stringify(body))
      deepEqual((await rows()).at(-1)?.threeDs, { version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'present' })
    })

  for (const [brand, number, cvv, eci] of [
    ['Visa', CARDS.visa, '123', '06'],
    ['Mastercard', CARDS.mastercard, '123', '01'],
    ['American Express', CARDS.amex, '1234', '06'],
  ] as const)
    test(`of ${brand} with a proof of attempt is approved, with ECI ${eci}`, async () => {
      const token = await newSession()
      await authenticated(service, { token, number, transStatus: 'A' })
      equal((await payer.pay(token, payBody(number, { cvv }))).body.ok, true)
      const { threeDs } = (await rows()).at(-1) ?? {}
      deepEqual([threeDs?.transStatus, threeDs?.eci], ['A', eci])
    })

  test('with a saved card needs an authentication of that card', async () => {
    const token = await newSession({ customer_id: stored.customerId, customer_email: undefined })
    const body = savedCardBody(stored.cardId)
    await authenticated(service, { token, number: CARDS.mastercard })
    await assertRefusedUnpaid(token, body)
    await authenticated(service, { token })
    equal((await payer.pay(token, body)).body.ok, true)
    const row = (await rows()).at(-1)
    deepEqual([row?.cvvPresent, row?.threeDs?.cavv, row?.storedCredential?.initiator], [false, 'present', 'cardholder'])
  })

  test('up to the amount that the business has set needs none', async () => {
    await requireThreeDs(service, 2_550)
    equal((await payer.pay(await newSession(), { ...payBody(), three_ds_id: null })).body.ok, true)
    equal((await rows()).at(-1)?.threeDs, undefined)
    await requireThreeDs(service, 2_549)
    await assertRefusedUnpaid(await newSession(), payBody())
  })

  test('is not asked for one where the business has switched it off, and then none is used', async () => {
    const token = await newSession()
    const { id } = await authenticated(service, { token })
    await dropThreeDs(service)
    equal((await payer.pay(token)).body.ok, true)
    equal((await rows()).at(-1)?.threeDs, undefined)
    equal(await stateOf(id), 'AUTHENTICATED')
  })
})

const stateOf = async (id: string) =>
  (
    await service.app.services.db
      .selectFrom('authentication')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state

describe('An authentication', () => {
  const WRONG: [
    what: string,
    change: Parameters<typeof authenticated>[1] extends infer Given ? Partial<Given> : never,
  ][] = [
    ['of another card', { number: CARDS.discover }],
    ['of another amount', { amount: 2_551 }],
    ['of another currency', { currency: 'CAD' }],
    ['that failed', { row: { state: 'FAILED', trans_status: 'N' } }],
    ['that waits for its challenge', { row: { state: 'CHALLENGE', trans_status: 'C' } }],
    ['that has expired', { row: { state: 'EXPIRED' } }],
    ['of ten minutes ago', { row: { decided_at: addSeconds(new Date(), -600) } }],
  ]
  for (const [what, change] of WRONG)
    test(`CAS-75, ATT-106: ${what} proves nothing`, async () => {
      const token = await newSession()
      const { dddSessionId } = await authenticated(service, { token, ...change })
      await assertRefusedUnpaid(token, payBody())
      await assertRefusedUnpaid(token, payBody(CARDS.visa, {}, { three_ds_id: dddSessionId }))
    })

  test('of another session proves nothing, also when it is named', async () => {
    const [token, other] = [await newSession(), await newSession()]
    const { dddSessionId, id } = await authenticated(service, { token: other })
    await assertRefusedUnpaid(token, payBody(CARDS.visa, {}, { three_ds_id: dddSessionId }))
    equal(await stateOf(id), 'AUTHENTICATED')
  })

  test('that is named is the one that is used; of several the newest, unless one is named', async () => {
    const token = await newSession()
    const older = await authenticated(service, { token })
    const newer = await authenticated(service, { token })
    const body = payBody(CARDS.visa, {}, { three_ds_id: older.dddSessionId })
    equal((await payer.pay(token, body)).body.ok, true)
    deepEqual([await stateOf(older.id), await stateOf(newer.id)], ['CONSUMED', 'AUTHENTICATED'])
  })

  test('CAS-78: is used by a declined charge too: the next needs another', async () => {
    const token = await newSession()
    await authenticated(service, { token, number: CARDS.declined })
    const declined = await payer.pay(token, payBody(CARDS.declined))
    deepEqual([declined.body.ok, declined.body.code, declined.body.attempt_count], [false, 'ND', 1])
    await assertRefusedUnpaid(token, payBody(CARDS.declined))
    await authenticated(service, { token })
    equal((await payer.pay(token)).body.ok, true)
  })

  test('CAS-76: is used by one of ten requests at once', async () => {
    const token = await newSession()
    await authenticated(service, { token })
    const before = (await rows()).length
    const paid = await Promise.all(Array.from({ length: 10 }, () => payer.pay(token)))
    equal(paid.filter(({ body }) => body.ok === true).length, 1)
    for (const { status, body } of paid.filter(({ body }) => body.ok !== true)) {
      equal(status, 400, JSON.stringify(body))
      equal(['payment_in_progress', 'session_completed'].includes(body.code), true, body.code)
    }
    equal((await rows()).length, before + 1)
  })

  test('CHK-41: taken by a request that has not recorded its payment yet, it is 400; five seconds later 408', async () => {
    const token = await newSession()
    await authenticated(service, { token })
    const { id } = (await merchant.details(token)).body.checkout_session
    const taken = service.app.services.db
      .updateTable('authentication')
      .set({ state: 'CONSUMED', operation_id: newId(), sealed_value: null })
      .where('session_id', '=', id)
    await taken.set({ consumed_at: new Date() }).execute()
    assertRefused(await payer.pay(token), 400, 'payment_in_progress')
    await taken.set({ consumed_at: new Date(Date.now() - 6_000) }).execute()
    assertRefused(await payer.pay(token), 408, 'three_ds_expired')
  })
})

describe('A sale on a stored card', () => {
  test('is untouched: nobody is authenticated, and it refers to the authentication that stored the card', async () => {
    const plain = await sellTo(service, stored)
    equal(plain.body.ok, true)
    const [first] = (await rows()).slice(-1)
    deepEqual([first?.threeDs, first?.storedCredential?.dsTransactionId], [undefined, undefined])
    const customer = (await merchant.sessionToken({ customer_email: 'cy@example.com' })) as string
    const { dsTransactionId } = await authenticated(service, { token: customer })
    equal((await payer.pay(customer, payBody(CARDS.visa, { saveCard: true }))).body.ok, true)
    const card = await service.app.services.db
      .selectFrom('stored_card')
      .select(['id as cardId', 'customer_id as customerId'])
      .where('ds_transaction_id', '=', dsTransactionId)
      .executeTakeFirstOrThrow()
    equal((await sellTo(service, card)).body.ok, true)
    const sale = (await rows()).at(-1)
    deepEqual([sale?.threeDs, sale?.cvvPresent, sale?.warnings], [undefined, false, undefined])
    deepEqual(
      [sale?.storedCredential?.initiator, sale?.storedCredential?.dsTransactionId],
      ['merchant', dsTransactionId],
    )
  })
})
