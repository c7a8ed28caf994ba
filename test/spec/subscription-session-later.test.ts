import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { addDays, dayOf, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import { CARDS } from '../support/card-numbers.ts'
import { signIn } from '../support/dashboard.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { customerOf, eventsOf, setBusiness, storedCards } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput, signedUp, VERIFIED_CARDS } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// CHK-19, CHK-54: sessions of mode subscription whose first bill falls on a later day.

const ZONE = 'America/New_York'

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const today = () => dayOf(new Date(), ZONE)
const newEmail = () => `${newId()}@example.com`
const rowsOf = async (op: 'sale' | 'verify') => (await service.simulator.rows()).filter((row) => row.op === op)

async function detailsOf(token: string) {
  const { body } = await merchant.details(token)
  return { session: body.checkout_session, transaction: body.transaction }
}

/** Returns the transaction that replaces a payment (CHK-54). */
function verifiedTransaction(id: string, first_bill_date: string) {
  return {
    ...{ id, transactionID: id, receipt_id: null, receiptID: null, code: 'AA', response_code: 'AA' },
    message: 'Card verified, nothing charged today',
    ...{ card: '424242******4242', association: 'Visa' },
    details: { association: 'Visa', amount: 0, issuer_reference: null, source: 'new_card', first_bill_date },
  }
}

/** Pays a new session. */
async function signUp(input: Record<string, unknown> = {}, plan: Record<string, unknown> = {}, body = payBody()) {
  const email = newEmail()
  const token = await merchant.sessionToken(planInput({ customer_email: email, ...input }, plan))
  const paid = await payer.pay(token, body)
  equal(paid.status, 200, JSON.stringify(paid.body))
  equal(paid.body.ok, true, JSON.stringify(paid.body))
  const { session, transaction } = await detailsOf(token)
  return { email, token, paid: paid.body, session, transaction, id: session.subscription_id as string }
}

describe('a session of mode subscription that starts later', () => {
  const start_date = () => addDays(today(), 10)

  test('CHK-19, CHK-54: the card is verified and stored, and nothing is charged', async () => {
    const [sales, verified] = [await rowsOf('sale'), await rowsOf('verify')]
    const { email, paid, session, transaction, id } = await signUp({}, { start_date: start_date() })
    equal((await rowsOf('sale')).length, sales.length)
    const [row] = (await rowsOf('verify')).slice(verified.length)
    deepEqual([row?.amount, row?.storedCredential?.reason, row?.storedCredential?.initial], [0, 'recurring', true])
    const { recordID } = paid.result
    deepEqual(paid.message, 'Card verified, nothing charged today')
    deepEqual(paid.result, { code: 'AA', recordID, receiptID: null, first_bill_date: start_date() })
    deepEqual([session.session_status, session.payment_status], ['COMPLETED', 'PAID'])
    const shown = verifiedTransaction(recordID, start_date())
    deepEqual(transaction, shown)
    const found = await merchant.get(`/checkout-sessions?customer=${encodeURIComponent(email)}`)
    deepEqual(found.body.checkout_sessions.data[0].transaction, shown)
    const inDashboard = await (await signIn(service)).call(`GET /checkout_sessions/${session.id}`)
    const { charges_nothing: nothing, first_bill_date: first, payment } = inDashboard.body.view
    deepEqual([nothing, first, payment], [true, start_date(), null])
    const [completed] = await eventsOf(service, session.id)
    deepEqual((completed as unknown as { data: { object: { transaction: unknown } } }).data.object.transaction, {
      ...shown,
      card: '************4242',
    })
    const { body: object } = await merchantApiOf(service).get(`/subscriptions/${id}`)
    deepEqual(
      [object.status, object.billing_cycle_anchor, object.installments_billed, object.current_period_start],
      ['active', start_date(), 0, null],
    )
    equal(object.next_billing_at, instantOf(start_date(), ZONE).getTime() / 1000)
    equal((await signedUp(service, id)).subscription.dueAt?.getTime(), instantOf(start_date(), ZONE).getTime())
    const card = (await storedCards(service)).find((one) => one.id === object.payment_method)
    notEqual(card?.network_transaction_id, null)
    deepEqual(
      (await eventsOf(service, session.id)).map(({ type }) => type),
      ['checkout.session.completed'],
    )
  })

  test('the consent and the addresses that the payer gave are kept', async () => {
    await setBusiness(service, { terms_url: 'https://shop.example/terms' })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const input = { consent_collection: { terms_of_service: 'required' } }
    const body = payBody(CARDS.visa, {}, { consents: { terms_of_service: true }, billing_address: { country: 'US' } })
    const { session } = await signUp(input, { start_date: start_date() }, body)
    deepEqual([session.consent.terms_of_service, session.billing_address], ['accepted', { country: 'US' }])
  })

  test('a card that is not verified counts as an attempt and leaves nothing; the third closes the session', async () => {
    const token = await merchant.sessionToken(planInput({ customer_email: newEmail() }, { start_date: start_date() }))
    const rows = await countRows(service.databaseUrl)
    for (const attempt of [1, 2, 3]) {
      const { body } = await payer.pay(token, payBody(VERIFIED_CARDS.declined))
      deepEqual([body.ok, body.code, body.attempt_count], [false, 'ND', attempt])
      const { last_decline } = (await merchant.details(token)).body.checkout_session
      deepEqual(last_decline, { code: 'ND', message: 'DECLINED' }, 'CHK-35')
    }
    assertRefused(await payer.pay(token), 400, 'session_failed')
    deepEqual(Object.keys(await addedRows(service.databaseUrl, rows)), ['public.event'])
  })

  test('a gateway without a response leaves nothing and counts nothing', async () => {
    const token = await merchant.sessionToken(planInput({ customer_email: newEmail() }, { start_date: start_date() }))
    const rows = await countRows(service.databaseUrl)
    const response = await payer.pay(token, payBody(VERIFIED_CARDS.silent))
    assertRefused(response, 400, 'gateway_unavailable')
    equal(response.body.charged, false)
    deepEqual(await addedRows(service.databaseUrl, rows), {})
    equal((await payer.pay(token)).body.ok, true)
  })

  test('two tabs that sign up at once begin one subscription', async () => {
    const email = newEmail()
    const token = await merchant.sessionToken(planInput({ customer_email: email }, { start_date: start_date() }))
    const responses = await Promise.all([payer.pay(token), payer.pay(token)])
    equal(responses.filter(({ body }) => body.ok === true).length, 1)
    const customer = await customerOf(service, email)
    equal((await merchantApiOf(service).get(`/subscriptions?customer=${customer?.id}`)).body.data.length, 1)
  })
})
