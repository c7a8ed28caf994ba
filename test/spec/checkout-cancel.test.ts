import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, send } from '../support/merchant.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-29, CHK-34.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
})
after(() => service.close())

test('cancel responds with the envelope of create with status CANCELLED', async () => {
  const { checkout_session: created } = (await merchant.createSession()).body
  const response = await merchant.cancel(created.token, { reason: 'out of stock' })
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { ok, message, status, checkout_session, transaction, ...more } = response.body
  deepEqual({ ok, status, transaction, more }, { ok: true, status: 'CANCELLED', transaction: null, more: {} })
  match(message, /\S/)
  deepEqual(checkout_session, { ...created, session_status: 'CANCELLED' })
})

test('the id of the session cancels it too; the response has its token', async () => {
  const { checkout_session: created } = (await merchant.createSession()).body
  const response = await merchant.cancel(created.id)
  equal(response.status, 200)
  deepEqual(response.body.checkout_session, { ...created, session_status: 'CANCELLED' })
  assertRefused(await merchant.cancel(created.id), 400, 'session_cancelled')
})

test('the details tell it, and one event with the time is recorded', async () => {
  const { token, id } = (await merchant.createSession()).body.checkout_session
  await merchant.cancel(token)
  const { checkout_session: session } = (await merchant.details(token)).body
  deepEqual([session.session_status, session.payment_status], ['CANCELLED', 'UNPAID'])
  equal(Math.abs(Date.parse(session.canceled_at) - Date.now()) < 60_000, true)
  const events = await eventsOf(service, id)
  deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [['checkout.session.canceled', 1]],
  )
  const object = events[0]?.data.object
  deepEqual([object?.session_status, object?.canceled_at], ['CANCELLED', session.canceled_at])
})

describe('the reason', () => {
  for (const body of [
    {},
    { reason: '' },
    { reason: null },
    { reason: '😀'.repeat(255) },
    { reason: 'two\nlines', colour: 'red' },
  ]) {
    test(`${JSON.stringify(body).slice(0, 40)} is taken`, async () => {
      equal((await merchant.cancel(await merchant.sessionToken(), body)).status, 200)
    })
  }

  test('may be left out with the whole body', async () => {
    const token = await merchant.sessionToken()
    equal((await merchant.post(`/checkout/${token}/cancel`, '')).status, 200)
    const { access_token, business_id } = service.demo
    const response = await send(`${service.url}/api/${business_id}/checkout/${await merchant.sessionToken()}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    })
    equal(response.status, 200)
  })

  for (const reason of [1, {}, 'r'.repeat(256), 'a\u0000']) {
    test(`${JSON.stringify(reason).slice(0, 40)} is refused, and the session stays`, async () => {
      const token = await merchant.sessionToken()
      assertRefused(await merchant.cancel(token, { reason }), 422, 'validation_failed', ['reason'])
      equal((await merchant.details(token)).body.status, 'PENDING')
    })
  }
})

describe('a session that is not PENDING: 400 as payment calls get', () => {
  test('cancelled before', async () => {
    const token = await merchant.sessionToken()
    await merchant.cancel(token)
    const response = await merchant.cancel(token)
    assertRefused(response, 400, 'session_cancelled')
    equal(response.body.status, 'CANCELLED')
  })

  test('paid', async () => {
    const token = await merchant.sessionToken()
    await payerOf(service).pay(token)
    const response = await merchant.cancel(token)
    assertRefused(response, 400, 'session_completed')
    deepEqual([response.body.status, 'success_url' in response.body], ['COMPLETED', true])
    equal((await merchant.details(token)).body.status, 'COMPLETED')
  })

  test('failed', async () => {
    const token = await merchant.sessionToken()
    for (let count = 1; count <= 3; count++) {
      const { body } = await payerOf(service).pay(token, payBody(CARDS.declined))
      equal(body.code, 'ND', JSON.stringify(body))
    }
    assertRefused(await merchant.cancel(token), 400, 'session_failed')
  })
})

test('cancelled by two at once: one does it, one event', async () => {
  const { token, id } = (await merchant.createSession()).body.checkout_session
  const responses = await Promise.all(Array.from({ length: 5 }, () => merchant.cancel(token)))
  deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
  equal((await eventsOf(service, id)).length, 1)
})

test('what the payer gets afterwards is 400 session_cancelled with status and cancel_url', async () => {
  const token = await merchant.sessionToken({ cancel_url: 'https://shop.example/cart?id=7#top' })
  await merchant.cancel(token)
  const response = await payerOf(service).pay(token)
  assertRefused(response, 400, 'session_cancelled')
  const cancelUrl = `https://shop.example/cart?id=7&session_token=${token}&session_id=${token}#top`
  deepEqual([response.body.status, response.body.cancel_url], ['CANCELLED', cancelUrl])
})

describe('whose session', () => {
  test('an unknown, a malformed, and another business’s token: 404, and nothing happens', async () => {
    const other = await secondMerchant(service)
    const { token, id } = (await merchant.createSession()).body.checkout_session
    for (const refused of [
      await other.cancel(token),
      await merchant.cancel('f'.repeat(64)),
      await merchant.cancel('abc'),
      await other.cancel(id),
      await merchant.cancel('01a1feef-456a-7037-91d8-b07dc3f1db63'),
    ]) {
      assertRefused(refused, 404, 'not_found')
    }
    equal((await merchant.details(token)).body.status, 'PENDING')
  })

  test('a page in a browser: 403 origin_not_allowed', async () => {
    const response = await merchant.post(`/checkout/${await merchant.sessionToken()}/cancel`, {}, FROM_PAGE)
    assertRefused(response, 403, 'origin_not_allowed')
  })
})

const FROM_PAGE = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
