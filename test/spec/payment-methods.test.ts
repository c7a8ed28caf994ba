import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'

// CUS-16, CUS-17: the cards that a merchant may read and detach.

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const UNKNOWN = '0199a3f1-4e10-7b21-9c05-000000000000'
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

describe('GET /api/v1/payment_methods/{id}', () => {
  test('shows a card as it may be shown', async () => {
    const { customerId, cardId } = await storeCard(service, 'shown@example.com')
    const response = await api.get(`/payment_methods/${cardId}`)
    equal(response.status, 200)
    assertMerchantHeaders(response)
    const { created, ...rest } = response.body
    equal(Number.isInteger(created), true)
    deepEqual(rest, {
      id: cardId,
      object: 'payment_method',
      type: 'card',
      customer: customerId,
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031 },
      status: 'active',
    })
    const [event] = await eventsOf(service, cardId)
    deepEqual([event?.type, event?.data], ['payment_method.attached', { object: response.body }])
  })

  test("an unknown one, and another business's, is 404", async () => {
    const { cardId } = await storeCard(service, 'foreign@example.com')
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    assertMerchantRefused(await api.get(`/payment_methods/${UNKNOWN}`), 404, 'resource_missing', 'id')
    assertMerchantRefused(await other.get(`/payment_methods/${cardId}`), 404, 'resource_missing', 'id')
    assertMerchantRefused(await other.delete(`/payment_methods/${cardId}`), 404, 'resource_missing', 'id')
    equal((await api.get(`/payment_methods/${cardId}`)).body.status, 'active')
  })
})

describe('Lists of payment methods', () => {
  test('all of them, those of one customer by query, and by path', async () => {
    const one = await storeCard(service, 'one@example.com')
    const two = await storeCard(service, 'one@example.com', { cardNumber: CARDS.mastercard })
    const other = await storeCard(service, 'other@example.com')
    deepEqual(idsOf((await api.get('/payment_methods?limit=3')).body), [other.cardId, two.cardId, one.cardId])
    const expected = { object: 'list', has_more: false, ids: [two.cardId, one.cardId] }
    for (const path of [
      `/payment_methods?customer=${one.customerId}`,
      `/customers/${one.customerId}/payment_methods`,
    ]) {
      const { object, has_more, ...list } = (await api.get(path)).body
      deepEqual({ object, has_more, ids: idsOf(list) }, expected)
    }
  })

  test('an unknown customer: 404 in the path, an empty list by query, 422 when malformed', async () => {
    assertMerchantRefused(await api.get(`/customers/${UNKNOWN}/payment_methods`), 404, 'resource_missing', 'id')
    deepEqual((await api.get(`/payment_methods?customer=${UNKNOWN}`)).body.data, [])
    assertMerchantRefused(await api.get('/payment_methods?customer=ana'), 422, 'parameter_invalid', 'customer')
  })
})

describe('DELETE /api/v1/payment_methods/{id}', () => {
  test('takes the card off file: detached, retrievable, not listed, not charged; a second time is the same', async () => {
    const stored = await storeCard(service, 'detached@example.com')
    const before = (await api.get(`/payment_methods/${stored.cardId}`)).body
    const response = await api.delete(`/payment_methods/${stored.cardId}`)
    deepEqual([response.status, response.body], [200, { ...before, status: 'detached' }])
    deepEqual((await api.delete(`/payment_methods/${stored.cardId}`)).body, response.body)
    deepEqual((await api.get(`/payment_methods/${stored.cardId}`)).body, response.body)
    deepEqual(idsOf((await api.get(`/customers/${stored.customerId}/payment_methods`)).body), [])
    equal(idsOf((await api.get('/payment_methods?limit=100')).body).includes(stored.cardId), false)
    equal((await sellTo(service, stored)).status, 404)
    const events = await eventsOf(service, stored.cardId)
    deepEqual(
      events.map(({ type }) => type),
      ['payment_method.attached', 'payment_method.detached'],
    )
    deepEqual(events[1]?.data, { object: response.body, previous_attributes: { status: 'active' } })
  })

  test('many at once detach it once', async () => {
    const { cardId } = await storeCard(service, 'many@example.com')
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.delete(`/payment_methods/${cardId}`)))
    deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    equal((await eventsOf(service, cardId)).length, 2)
  })

  test('the same card can be stored again, as a new one', async () => {
    const first = await storeCard(service, 'again@example.com')
    await api.delete(`/payment_methods/${first.cardId}`)
    const second = await storeCard(service, 'again@example.com')
    equal(first.cardId === second.cardId, false)
    deepEqual(idsOf((await api.get(`/customers/${first.customerId}/payment_methods`)).body), [second.cardId])
  })
})

describe('POST /api/v1/payment_methods', () => {
  test('is not supported: a card in it is refused first, and anything else is 405', async () => {
    const { customerId } = await storeCard(service, 'typed@example.com')
    for (const path of ['/payment_methods', `/customers/${customerId}/payment_methods`]) {
      const card = { card: { number: CARDS.visa, exp_month: 12, exp_year: 2031, cvc: '123' } }
      assertMerchantRefused(await api.post(path, { type: 'card', ...card }), 422, 'raw_card_data_not_supported', 'card')
      const response = await api.post(path, { type: 'card' })
      assertMerchantRefused(response, 405, 'method_not_allowed', null)
      equal(response.headers.get('allow'), 'GET, HEAD')
      equal((await api.patch(path, {})).headers.get('allow'), 'GET, HEAD')
    }
  })
})
