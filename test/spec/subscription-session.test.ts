import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { addDays, billingDay, dayOf, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, SESSION } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { customerOf, eventsOf, setBusiness, storedCards } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput, resolveAll, signedUp } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// CHK-18 to CHK-20, CHK-51 to CHK-55: sessions of mode subscription.

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
const _rowsOf = async (op: 'sale' | 'verify') => (await service.simulator.rows()).filter((row) => row.op === op)

async function detailsOf(token: string) {
  const { body } = await merchant.details(token)
  return { session: body.checkout_session, transaction: body.transaction }
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

describe('a session of mode subscription that starts today', () => {
  test('CHK-20: the approval begins the subscription with its customer, its card and its first bill', async () => {
    const { email, paid, session, transaction, id } = await signUp()
    deepEqual([session.session_status, session.payment_status], ['COMPLETED', 'PAID'])
    deepEqual([transaction.id, transaction.details.source], [paid.result.recordID, 'new_card'])
    const customer = await customerOf(service, email)
    const object = (await merchantApiOf(service).get(`/subscriptions/${id}`)).body
    deepEqual(
      [object.status, object.customer, object.amount, object.currency, object.interval, object.interval_count],
      ['active', customer?.id, 2_550, 'usd', 'month', 1],
    )
    const next = instantOf(billingDay(today(), { interval: 'month', count: 1 }, 1), ZONE).getTime() / 1000
    deepEqual(
      [object.start_date, object.billing_cycle_anchor, object.next_billing_at, object.installments_billed],
      [today(), today(), next, 1],
    )
    const { body: card } = await merchantApiOf(service).get(`/payment_methods/${object.payment_method}`)
    deepEqual([card.customer, card.card.last4], [customer?.id, '4242'])
    const { body: payments } = await merchantApiOf(service).get(`/subscriptions/${id}/payments`)
    deepEqual(
      payments.data.map((one: Record<string, unknown>) => [one.id, one.trigger, one.attempt, one.status, one.amount]),
      [[paid.result.recordID, 'initial', 1, 'succeeded', 2_550]],
    )
  })

  test('CHK-55: each object has one event', async () => {
    const { paid, session, id } = await signUp()
    const [created, ...more] = await eventsOf(service, id)
    deepEqual([created?.type, more], ['subscription.created', []])
    deepEqual(created?.data.object, (await merchantApiOf(service).get(`/subscriptions/${id}`)).body)
    deepEqual(
      (await eventsOf(service, paid.result.recordID)).map(({ type }) => type),
      ['payment.succeeded'],
    )
    const [completed] = await eventsOf(service, session.id)
    deepEqual(
      [completed?.type, completed?.data.object.subscription_id, completed?.data.object.customer_id],
      ['checkout.session.completed', id, session.customer_id],
    )
  })

  const CADENCES = {
    Weekly: ['week', 1],
    'Bi-Weekly': ['week', 2],
    Monthly: ['month', 1],
    Quarterly: ['month', 3],
    'Twice a year': ['month', 6],
    Annual: ['year', 1],
  }
  for (const [interval, cadence] of Object.entries(CADENCES))
    test(`CHK-18: ${interval} is every ${cadence[1]} ${cadence[0]}`, async () => {
      const { subscription } = await signedUp(service, (await signUp({}, { interval })).id)
      deepEqual([subscription.cadence.interval, subscription.cadence.count], cadence)
    })

  test('CHK-19: a start in the past is charged now, and no elapsed period is billed', async () => {
    const { id } = await signUp({}, { start_date: '2020-02-29' })
    const { subscription } = await signedUp(service, id)
    deepEqual(
      [subscription.startDate, subscription.anchorDate, subscription.paidBills, subscription.currentPeriod?.start],
      ['2020-02-29', today(), 1, today()],
    )
  })

  test('CHK-52: payers of one plan share an inactive price and product; another amount has another price', async () => {
    const plan = { name: `Tea ${newId()}` }
    const [one, two] = [await signUp({}, plan), await signUp({}, plan)]
    const items = [{ name: 'More tea', quantity: 1, unit_amount: 30, total: 30 }]
    const three = await signUp({ amount_total: 30, line_items: items }, plan, payBody(CARDS.visa, {}, { amount: 30 }))
    const price = async ({ id }: { id: string }) => (await signedUp(service, id)).subscription.items[0]?.priceId ?? ''
    equal(await price(one), await price(two))
    notEqual(await price(one), await price(three))
    const api = merchantApiOf(service)
    const { body } = await api.get(`/prices/${await price(one)}`)
    const { body: product } = await api.get(`/products/${body.product}`)
    deepEqual([body.active, body.unit_amount, product.name, product.active], [false, 2_550, plan.name, false])
    deepEqual([product.prices.length, (await eventsOf(service, product.id)).length], [2, 1])
    const refused = await api.post('/subscriptions', { customer: one.session.customer_id, price: body.id })
    equal(refused.status, 422)
  })

  test('CHK-52: tax is apart', async () => {
    const items = [{ name: 'Tea', quantity: 1, unit_amount: 25, total: 25 }]
    const { id } = await signUp({ line_items: items, amount_subtotal: 25, amount_tax: 0.5 })
    const { subscription } = await signedUp(service, id)
    deepEqual([subscription.unitAmount, subscription.taxAmount, subscription.amount], [2_500, 50, 2_550])
  })

  test('CHK-53: a surcharge that applies to the card is on every bill', async () => {
    await setBusiness(service, { surcharge_rate_bp: 240 })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const credit = await signUp({ surcharge: true }, {}, payBody(CARDS.visa, {}, { amount: 26.11 }))
    const debit = await signUp({ surcharge: true }, {}, payBody(CARDS.debit))
    await setBusiness(service, { surcharge_rate_bp: null })
    const of = async ({ id }: { id: string }) => {
      const { surchargeRatePpm, surchargeAmount, amount } = (await signedUp(service, id)).subscription
      return [surchargeRatePpm, surchargeAmount, amount]
    }
    deepEqual(
      [await of(credit), await of(debit)],
      [
        [24_000, 61, 2_611],
        [0, 0, 2_550],
      ],
    )
  })

  test('CHK-51: a card that the customer has already is used as it is, typed or chosen', async () => {
    const { session, id } = await signUp()
    const { subscription } = await signedUp(service, id)
    const input = { customer_email: undefined, customer_id: session.customer_id }
    const typed = await signUp(input)
    const chosen = await signUp(input, {}, {
      payment_method_type: 'saved_card',
      amount: 25.5,
      cardId: subscription.storedCardId,
    } as unknown as ReturnType<typeof payBody>)
    for (const other of [typed, chosen])
      equal((await signedUp(service, other.id)).subscription.storedCardId, subscription.storedCardId)
    equal((await storedCards(service)).filter((card) => card.customer_id === session.customer_id).length, 1)
  })

  test('CHK-20: a decline counts as an attempt and leaves nothing; the third closes the session', async () => {
    const token = await merchant.sessionToken(planInput({ customer_email: newEmail() }))
    const rows = await countRows(service.databaseUrl)
    for (const attempt of [1, 2, 3]) {
      const { body } = await payer.pay(token, payBody(CARDS.declined))
      deepEqual([body.ok, body.attempt_count], [false, attempt])
    }
    assertRefused(await payer.pay(token), 400, 'session_failed')
    const added = await addedRows(service.databaseUrl, rows)
    deepEqual(Object.keys(added).sort(), ['public.event', 'public.gateway_reference', 'public.operation'])
    equal((await detailsOf(token)).session.subscription_id, null)
  })

  test('CHK-20: an unknown outcome is reversed, and leaves nothing', async () => {
    const token = await merchant.sessionToken(planInput({ customer_email: newEmail() }))
    const rows = await countRows(service.databaseUrl)
    assertRefused(await payer.pay(token, payBody(CARDS.silentRecorded)), 400, 'gateway_timeout')
    await resolveAll(service)
    const added = await addedRows(service.databaseUrl, rows)
    for (const table of ['customer', 'stored_card', 'subscription', 'bill', 'payment', 'price', 'product'])
      equal(added[`public.${table}`], undefined, table)
    equal((await payer.pay(token)).body.ok, true)
  })

  test('CHK-41: two tabs that pay at once begin one subscription', async () => {
    const email = newEmail()
    const token = await merchant.sessionToken(planInput({ customer_email: email }))
    const responses = await Promise.all([payer.pay(token), payer.pay(token)])
    equal(responses.filter(({ body }) => body.ok === true).length, 1)
    const customer = await customerOf(service, email)
    const { body } = await merchantApiOf(service).get(`/subscriptions?customer=${customer?.id}`)
    equal(body.data.length, 1)
  })

  test('two sessions of one new e-mail address that are paid at once make one customer', async () => {
    const email = newEmail()
    const tokens = [0, 1].map(() => merchant.sessionToken(planInput({ customer_email: email })))
    const responses = await Promise.all(tokens.map(async (token) => payer.pay(await token)))
    deepEqual(
      responses.map(({ body }) => body.ok),
      [true, true],
    )
    const customer = await customerOf(service, email)
    const { body } = await merchantApiOf(service).get(`/subscriptions?customer=${customer?.id}`)
    const cards = new Set(body.data.map((one: { payment_method: string }) => one.payment_method))
    deepEqual([body.data.length, cards.size], [2, 1])
  })
})

describe('CHK-51: who may sign up', () => {
  async function withToken(bound: Record<string, unknown>) {
    const origin = 'https://shop.example'
    const { body } = await merchant.post('/browser-tokens', { origin, ...bound })
    return merchant.post('/checkout/create', planInput({ ...SESSION }), {
      authorization: `Bearer ${body.browser_token}`,
      origin,
    })
  }

  test('a page whose token is not bound to a customer cannot: the e-mail address identifies nobody', async () => {
    assertRefused(await withToken({}), 422, 'validation_failed', ['mode'])
  })

  test('a page with a bound token can, for that customer', async () => {
    const email = newEmail()
    const { body } = await withToken({ customer_email: email })
    equal((await payer.pay(body.checkout_session.token)).body.ok, true)
    notEqual(await customerOf(service, email), undefined)
  })

  test('what a payer types on the form changes neither the customer nor the owner of the card', async () => {
    const [email, typed] = [newEmail(), newEmail()]
    const token = await merchant.sessionToken(planInput({ customer_email: email }))
    equal((await payer.customer(token, { name: 'Eve', email: typed })).status, 200)
    equal((await payer.pay(token)).body.ok, true)
    equal(await customerOf(service, typed), undefined)
    notEqual(await customerOf(service, email), undefined)
  })
})

describe('the data of the form', () => {
  test('PAG-28: what recurs, when the first bill falls, and what is charged now', async () => {
    const token = await merchant.sessionToken(planInput())
    deepEqual((await payer.data(token)).body.checkout_session.subscription, {
      interval: 'Monthly',
      name: 'Tea',
      start_date: null,
      first_charge: 25.5,
      first_charge_date: today(),
      next_charge_date: billingDay(today(), { interval: 'month', count: 1 }, 1),
      installments: null,
    })
    const start_date = addDays(today(), 3)
    const later = (await payer.data(await merchant.sessionToken(planInput({}, { start_date })))).body
    const { first_charge, first_charge_date } = later.checkout_session.subscription
    deepEqual([first_charge, first_charge_date], [0, start_date])
  })
})
