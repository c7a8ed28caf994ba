import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { forgetRefusedCardAttempts } from '../../server/checkout/pay/card-testing.ts'
import { withCheckDigit } from '../../server/lib/luhn.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, send } from '../support/merchant.ts'
import { movableClock } from '../support/movable-clock.ts'
import { customerOf, setBusiness, storedCards } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService, type TestServiceOptions } from '../support/service.ts'

// Attackers who try stolen numbers on the form. The service is behind a proxy, so that each attempt has its own
// address.

const options: TestServiceOptions = { rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } }

const clock = movableClock()
let shared: TestService
before(async () => {
  shared = await openService({ ...options, clock })
  callInProcess(shared)
})
after(() => shared.close())

/** An address from which customers pay with stored cards; it has a limit of its own a minute, so each test has one. */
let office = ''
let offices = 600

/** Returns the service with a new business, hours after the others: no limit counts what was tried before. */
async function newShop(): Promise<TestService> {
  clock.advance(7_200)
  office = address(offices++)
  const { demo } = await secondMerchant(shared, { redirectUrl: 'https://shop.example' })
  return { ...shared, demo }
}

/** Returns an approved number for which the simulator does not have a rule. */
const cardNumber = (index: number) => withCheckDigit(`42424200${String(index).padStart(7, '0')}`)
/** Returns an address in 198.51.100.0/24 or a following network for documentation. */
const address = (index: number) => `198.51.${100 + Math.floor(index / 200)}.${index % 200}`

function thief(service: TestService, merchant: Merchant) {
  const pay = async (token: string, number: string, ip: string, more: object = {}) =>
    send(`${service.url}/api/checkout/${token}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify(payBody(number, {}, { ...more })),
    })
  return {
    pay,
    /** Tries a number on a new session. */
    tries: async (number: string, ip: string, more?: object) => pay(await merchant.sessionToken(), number, ip, more),
  }
}

const rows = async ({ app }: TestService) => app.services.db.selectFrom('operation').selectAll().execute()

async function decline(service: TestService, merchant: Merchant, count: number, first = 0): Promise<void> {
  const { pay } = thief(service, merchant)
  await service.simulator.script({
    outcomes: Array.from({ length: count }, () => ({ op: 'sale' as const, outcome: 'declined' as const })),
  })
  for (let done = 0; done < count; ) {
    const token = await merchant.sessionToken()
    for (let tries = 0; tries < 3 && done < count; tries++, done++)
      equal((await pay(token, cardNumber(first + done), address(first + done))).body.code, 'ND')
  }
}

const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))

test('an address may try ten cards an hour; the eleventh is refused before anything is written', async () => {
  const service = await newShop()
  const merchant = merchantOf(service)
  const { tries, pay } = thief(service, merchant)
  for (let index = 0; index < 10; index++) equal((await tries(cardNumber(index), address(1))).body.ok, true)
  const token = await merchant.sessionToken()
  const before = (await rows(service)).length
  const refused = await pay(token, cardNumber(10), address(1))
  assertRefused(refused, 429, 'rate_limited')
  deepEqual(refused.body.charged, false)
  ok(retryAfter(refused) > 3_000 && retryAfter(refused) <= 3_600)
  equal((await rows(service)).length, before)
  equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
  equal((await tries(cardNumber(3), address(1))).body.ok, true, 'a card that it tried before')
  equal((await pay(token, cardNumber(10), address(2))).body.ok, true, 'another address')
  clock.advance(3_601)
  equal((await tries(cardNumber(11), address(1))).body.ok, true)
})

test('an IPv6 network counts as one address', async () => {
  const service = await newShop()
  const { tries } = thief(service, merchantOf(service))
  for (let index = 0; index < 10; index++)
    equal((await tries(cardNumber(index), `2001:db8:1:2::${index + 1}`)).body.ok, true)
  assertRefused(await tries(cardNumber(10), '2001:db8:1:2:ffff::1'), 429, 'rate_limited')
  equal((await tries(cardNumber(10), '2001:db8:1:3::1')).body.ok, true)
})

test('a card may be declined five times an hour over all sessions and addresses of a business', async () => {
  const service = await newShop()
  const merchant = merchantOf(service)
  const { tries, pay } = thief(service, merchant)
  for (let index = 0; index < 5; index++) equal((await tries(CARDS.declined, address(index))).body.code, 'ND')
  const token = await merchant.sessionToken()
  const refused = await pay(token, CARDS.declined, address(9))
  assertRefused(refused, 429, 'rate_limited')
  match(refused.body.message, /declined too often/)
  equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
  equal((await pay(token, cardNumber(1), address(9))).body.ok, true, 'another card pays')
  clock.advance(3_601)
  equal((await tries(CARDS.declined, address(9))).body.code, 'ND')
})

test('an approval that the policy of the business refuses counts as a decline, of the card and of the business', async () => {
  const service = await newShop()
  const merchant = merchantOf(service)
  const { tries } = thief(service, merchant)
  await setBusiness(service, { cvv_policy: 'require_match' })
  const unprocessed = (number: string) => ({ cardData: { ...payBody(number).cardData, cvv: '001' } })
  for (let index = 0; index < 21; index++) {
    const number = cardNumber(Math.max(0, index - 4))
    equal((await tries(number, address(index), unprocessed(number))).body.code, 'N7')
  }
  await setBusiness(service, { cvv_policy: 'accept' })
  assertRefused(await tries(cardNumber(300), address(300)), 429, 'rate_limited')
  await service.app.services.db.updateTable('business').set({ new_cards_refused_until: null }).execute()
  const refused = await tries(cardNumber(0), address(301))
  assertRefused(refused, 429, 'rate_limited')
  match(refused.body.message, /declined too often/)
})

test('more than 20 declines in ten minutes, and most of the tries: new cards of unknown addresses are refused', async () => {
  // The metrics are of a process.
  await using service = await openService({ ...options, clock })
  const merchant = merchantOf(service)
  const { tries } = thief(service, merchant)
  const known = address(500)
  equal((await tries(cardNumber(900), known, { cardData: saved(cardNumber(900)) })).body.ok, true)
  await decline(service, merchant, 20)
  equal((await tries(cardNumber(901), address(501))).body.ok, true, 'twenty are not more than twenty')
  await decline(service, merchant, 1, 20)

  const refused = await tries(cardNumber(902), address(502))
  assertRefused(refused, 429, 'rate_limited')
  ok(retryAfter(refused) > 590 && retryAfter(refused) <= 600)
  equal((await tries(cardNumber(903), known)).body.ok, true, 'an address that has paid')
  equal((await savedCardAttempt(service, merchant)).body.ok, true, 'a saved card')
  match(service.logged(), /card testing: new cards of unknown payers are refused/)
  const { body } = await send(`${service.operationsUrl}/metrics`)
  match(body, /rialto_card_testing_total\{what="alarm"\} 1/)
  match(body, /rialto_card_testing_total\{what="burst"\} 1/)

  clock.advance(601)
  equal((await tries(cardNumber(902), address(502))).body.ok, true)
})

test('a busy business with as many approvals as declines is not under attack', async () => {
  const service = await newShop()
  const merchant = merchantOf(service)
  const { tries } = thief(service, merchant)
  for (let index = 0; index < 22; index++) await tries(cardNumber(100 + index), address(100 + index))
  await decline(service, merchant, 22)
  equal((await tries(cardNumber(800), address(800))).body.ok, true)
})

test('RIALTO_RATE_LIMITS=off switches it off', async () => {
  await using service = await openService({ ...options, rateLimits: false, beside: shared })
  const merchant = merchantOf(service)
  const { tries } = thief(service, merchant)
  for (let index = 0; index < 12; index++) equal((await tries(cardNumber(index), address(1))).body.ok, true)
  await decline(service, merchant, 22, 50)
  equal((await tries(cardNumber(99), address(99))).body.ok, true)
})

describe('the stored card of a customer', () => {
  test('is paid with after a stranger’s five wrong codes, and behind an address that tried ten cards', async () => {
    const service = await newShop()
    const merchant = merchantOf(service)
    const { tries } = thief(service, merchant)
    const number = cardNumber(1)
    equal((await tries(number, address(1), { cardData: saved(number) })).body.ok, true)
    await service.simulator.script({ outcomes: Array.from({ length: 5 }, () => ({ op: 'sale', outcome: 'declined' })) })
    for (let index = 0; index < 5; index++) equal((await tries(number, address(10 + index))).body.ok, false)
    assertRefused(await tries(number, address(20)), 429, 'rate_limited')
    equal((await savedCardAttempt(service, merchant)).body.ok, true, 'the customer pays')
    assertRefused(await tries(number, address(20)), 429, 'rate_limited')

    for (let index = 0; index < 10; index++) await tries(cardNumber(100 + index), office)
    assertRefused(await tries(cardNumber(200), office), 429, 'rate_limited')
    equal((await savedCardAttempt(service, merchant)).body.ok, true, 'from the address of the ten cards')
  })

  test('has five declines an hour of its own, which do not affect payers who type the card', async () => {
    const service = await newShop()
    const merchant = merchantOf(service)
    const { tries } = thief(service, merchant)
    const number = cardNumber(1)
    equal((await tries(number, address(1), { cardData: saved(number) })).body.ok, true)
    await service.simulator.script({ outcomes: Array.from({ length: 5 }, () => ({ op: 'sale', outcome: 'declined' })) })
    for (let index = 0; index < 5; index++) equal((await savedCardAttempt(service, merchant)).body.ok, false)
    const refused = await savedCardAttempt(service, merchant)
    assertRefused(refused, 429, 'rate_limited')
    match(refused.body.message, /declined too often/)
    equal((await tries(number, address(1))).body.ok, true, 'typed, with its code')
  })

  test('paying with stored cards tries no cards: an office behind one address can go on', async () => {
    const service = await newShop()
    const merchant = merchantOf(service)
    const { tries } = thief(service, merchant)
    for (let index = 0; index < 11; index++) {
      const number = cardNumber(index)
      equal((await tries(number, address(index), { cardData: saved(number) })).body.ok, true)
    }
    const cards = await storedCards(service)
    for (const { id } of cards) equal((await savedCardAttempt(service, merchant, id)).body.ok, true)
    equal((await tries(cardNumber(50), office)).body.ok, true)
  })
})

describe('duplicate_card counts as a try', () => {
  const saving = { saveCard: true }

  test('of its card: the sixth in an hour is refused, from any address', async () => {
    const service = await newShop()
    const merchant = merchantOf(service)
    const { tries } = thief(service, merchant)
    const number = cardNumber(1)
    const data = { cardData: { ...payBody(number).cardData, ...saving } }
    equal((await tries(number, address(1), data)).body.ok, true)
    const before = (await rows(service)).length
    for (let index = 0; index < 5; index++)
      equal((await tries(number, address(10 + index), data)).body.code, 'duplicate_card')
    assertRefused(await tries(number, address(20), data), 429, 'rate_limited')
    equal((await rows(service)).length, before)
    equal((await savedCardAttempt(service, merchant)).body.ok, true, 'the stored card itself still pays')
    clock.advance(3_601)
    equal((await tries(number, address(20), data)).body.code, 'duplicate_card')
  })

  test('of its address: ten cards, charged or refused, and the eleventh is not looked at', async () => {
    const service = await newShop()
    const merchant = merchantOf(service)
    const { tries } = thief(service, merchant)
    const data = (number: string) => ({ cardData: { ...payBody(number).cardData, ...saving } })
    for (let index = 0; index < 11; index++)
      equal((await tries(cardNumber(index), address(index), data(cardNumber(index)))).body.ok, true)
    for (let index = 0; index < 10; index++)
      equal((await tries(cardNumber(index), address(99), data(cardNumber(index)))).body.code, 'duplicate_card')
    assertRefused(await tries(cardNumber(10), address(99), data(cardNumber(10))), 429, 'rate_limited')
  })

  test('its row is deleted when no limit counts it any more', async () => {
    const service = await newShop()
    const merchant = merchantOf(service)
    const { tries } = thief(service, merchant)
    const number = cardNumber(1)
    const data = { cardData: { ...payBody(number).cardData, ...saving } }
    for (let index = 0; index < 2; index++) await tries(number, address(1), data)
    const left = async () =>
      (await service.app.services.db.selectFrom('refused_card_attempt').selectAll().execute()).length
    await forgetRefusedCardAttempts(service.app.services)
    equal(await left(), 1)
    clock.advance(3_601)
    await forgetRefusedCardAttempts(service.app.services)
    equal(await left(), 0)
  })
})

const EMAIL = 'ana@example.com'
const saved = (number: string) => ({ ...payBody(number).cardData, saveCard: true })

/**
 * Pays with the only saved card, or with the given one, on a session that the merchant bound to the card's customer.
 */
async function savedCardAttempt(service: TestService, merchant: Merchant, cardId?: string) {
  const customer = await customerOf(service, EMAIL)
  const card = (await storedCards(service)).find(({ id, customer_id }) =>
    cardId ? id === cardId : customer_id === customer?.id,
  )
  const token = await merchant.sessionToken({ customer_email: undefined, customer_id: card?.customer_id })
  const body = { payment_method_type: 'saved_card', cardId: card?.id, amount: 25.5 }
  return send(`${service.url}/api/checkout/${token}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': office },
    body: JSON.stringify(body),
  })
}
