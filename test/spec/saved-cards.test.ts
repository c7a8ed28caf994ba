import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { customerOf, storedCards } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CUS-8 to CUS-12, `saveCard`. One customer per test, so that tests do not affect each other.

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

const saving = (card: object = {}) => payBody(CARDS.visa, { saveCard: true, ...card })
const sales = async () => (await service.simulator.rows()).length

async function cardsOf(email: string) {
  const customer = await customerOf(service, email)
  return (await storedCards(service)).filter((card) => card.customer_id === customer?.id)
}

async function pay(email: string, body: object) {
  const token = await merchant.sessionToken({ customer_email: email })
  return { token, ...(await payer.pay(token, body)) }
}

test('a payment with saveCard: true stores the card, as it may be shown', async () => {
  equal((await pay('one@example.com', saving())).body.ok, true)
  const [card, ...more] = await cardsOf('one@example.com')
  equal(more.length, 0)
  const { brand, first6, last4, exp_month, exp_year, name_on_card, postal_code, detached_at } = card ?? {}
  deepEqual(
    { brand, first6, last4, exp_month, exp_year, name_on_card, postal_code, detached_at },
    {
      brand: 'visa',
      first6: '424242',
      last4: '4242',
      exp_month: 12,
      exp_year: 2031,
      name_on_card: 'Ana Roy',
      postal_code: '10001',
      detached_at: null,
    },
  )
})

test('the gateway receives that the cardholder agreed to the storing', async () => {
  await pay('agreed@example.com', saving())
  const row = (await service.simulator.rows()).at(-1)
  deepEqual([row?.storedCredential?.initiator, row?.storedCredential?.initial], ['cardholder', true])
})

test('a payment without saveCard stores nothing, nor does a declined one', async () => {
  await pay('none@example.com', payBody(CARDS.visa))
  await pay('none@example.com', payBody(CARDS.declined, { saveCard: true }))
  deepEqual(await cardsOf('none@example.com'), [])
})

test('with a hidden reuse agreement saving is not offered, and saveCard has no effect (CUS-4)', async () => {
  const customer_email = 'hidden@example.com'
  const consent_collection = { payment_method_reuse_agreement: { position: 'hidden' } }
  for (let payment = 1; payment <= 2; payment++) {
    const token = await merchant.sessionToken({ customer_email, consent_collection })
    equal((await payer.data(token)).body.payment_methods.card.can_save, false)
    equal((await payer.pay(token, saving())).body.ok, true)
  }
  deepEqual(await cardsOf(customer_email), [])
})

test('the vault holds no clear number, and opens to it', async () => {
  await pay('vault@example.com', saving())
  const [card] = await cardsOf('vault@example.com')
  ok(card)
  const { db, vault } = service.app.services
  const row = await db.selectFrom('vault_card').selectAll().where('id', '=', card.id).executeTakeFirstOrThrow()
  equal(row.number_ciphertext.includes(CARDS.visa), false)
  equal((await vault.open(card.business_id, card.id)).reveal(), CARDS.visa)
})

test('the card that the customer has: 422 duplicate_card, and nothing is charged', async () => {
  await pay('twice@example.com', saving())
  const earlier = await sales()
  const { token, ...response } = await pay('twice@example.com', saving())
  assertRefused(response, 422, 'duplicate_card', ['cardData'])
  match(response.body.errors.cardData[0], /choose the saved card/)
  deepEqual([response.body.charged, 'card' in response.body], [false, false])
  equal(await sales(), earlier)
  equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
  equal((await payer.pay(token, payBody(CARDS.visa))).body.ok, true, 'paying without saving goes on')
  equal((await cardsOf('twice@example.com')).length, 1)
})

test('it is named when the merchant bound the session to the customer', async () => {
  await pay('bound@example.com', saving())
  const customer = await customerOf(service, 'bound@example.com')
  const [card] = await cardsOf('bound@example.com')
  const response = await payer.pay(await merchant.sessionToken({ customer_id: customer?.id }), saving())
  assertRefused(response, 422, 'duplicate_card')
  deepEqual(response.body.card, { id: card?.id, brand: 'visa', last4: '4242' })
})

test('a changed expiry updates the stored card', async () => {
  await pay('renewed@example.com', saving({ month: '1', year: 2027 }))
  const [old] = await cardsOf('renewed@example.com')
  equal((await pay('renewed@example.com', saving({ month: '6', year: 2030 }))).body.ok, true)
  const [card, ...more] = await cardsOf('renewed@example.com')
  equal(more.length, 0)
  deepEqual([card?.id, card?.exp_month, card?.exp_year], [old?.id, 6, 2030])
})

test('an expiry of two digits is the same expiry', async () => {
  await pay('short@example.com', saving({ month: '3', year: 2029 }))
  assertRefused(await pay('short@example.com', saving({ month: '03', year: 29 })), 422, 'duplicate_card')
})

test('the same card of another customer is another card', async () => {
  await pay('her@example.com', saving())
  equal((await pay('him@example.com', saving())).body.ok, true)
  equal((await cardsOf('him@example.com')).length, 1)
})

test('another card of the same customer is stored beside it', async () => {
  await pay('two@example.com', saving())
  await pay('two@example.com', saving({ cardNumber: CARDS.mastercard }))
  const brands = (await cardsOf('two@example.com')).map(({ brand }) => brand)
  deepEqual(brands, ['visa', 'mastercard'])
})

test('two tabs that save it at once leave one row, and both payments stand', async () => {
  const responses = await Promise.all([pay('tabs@example.com', saving()), pay('tabs@example.com', saving())])
  deepEqual(
    responses.map(({ body }) => body.ok || body.code === 'duplicate_card'),
    [true, true],
  )
  equal((await cardsOf('tabs@example.com')).length, 1)
})

test('no table has a column for a CVV', async () => {
  const { db } = service.app.services
  const columns = (await db.introspection.getTables()).flatMap((table) => table.columns.map(({ name }) => name))
  ok(columns.length > 100)
  // The issuer's result is a letter, and the business's policy is a word.
  deepEqual(columns.filter((name) => /cv[cv]|cvn|security_code|track|pin_?block/i.test(name)).sort(), [
    'cvv_policy',
    'cvv_result',
    'saved_card_cvv_required',
  ])
})
