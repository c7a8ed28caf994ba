import { deepEqual, equal, match } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { expireSessions } from '../../server/checkout/sessions/expire-sessions.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, type Response, send } from '../support/merchant.ts'
import { eventsOf, resetClock, setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-24 to CHK-30, row by row; EVT-1: the events.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  // The gateway may take three seconds, so that it may be slow on a busy machine.
  service = await openService({ timeScale: 0.2 })
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(() => service.close())

const DAY_SECONDS = 86_400

async function created() {
  return (await merchant.createSession({ client_reference_id: 'order-7' })).body.checkout_session
}

/** Returns `session_status / payment_status`, as in the table of states. */
async function stateOf(token: string): Promise<string> {
  const { status, checkout_session: session } = (await merchant.details(token)).body
  equal(status, session.session_status)
  return `${session.session_status} / ${session.payment_status}`
}

async function eventTypes(id: string) {
  const events = await eventsOf(service, id)
  deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  )
  return events.map(({ type }) => type)
}

/** Asserts that every call of the payer is refused on a closed session. */
async function assertClosed(token: string, code: string, status: string, url: 'success_url' | 'cancel_url') {
  const page = url === 'success_url' ? 'thanks' : 'cart'
  const responses: Response[] = [
    await payer.pay(token),
    await payer.validate(token),
    await payer.data(token),
    await payer.customer(token, { name: 'Ana', email: 'ana@example.com' }),
  ]
  for (const response of responses) {
    assertRefused(response, 400, code)
    equal(response.body.status, status)
    equal(response.body[url], `https://shop.example/${page}?session_token=${token}&session_id=${token}`)
    equal('success_url' in response.body && 'cancel_url' in response.body, false)
  }
}

test('(none) + create → PENDING / UNPAID, with nothing recorded', async () => {
  const { token, id } = await created()
  equal(await stateOf(token), 'PENDING / UNPAID')
  deepEqual(await eventTypes(id), [])
})

describe('PENDING + payment approved → COMPLETED / PAID', () => {
  for (const declines of [0, 1, 2]) {
    test(`at attempt ${declines + 1}`, async () => {
      const { token, id } = await created()
      for (let count = 1; count <= declines; count++)
        equal((await payer.pay(token, payBody(CARDS.declined))).body.ok, false)
      equal((await payer.pay(token)).body.ok, true)
      equal(await stateOf(token), 'COMPLETED / PAID')
      deepEqual(await eventTypes(id), ['checkout.session.completed'])
      await assertClosed(token, 'session_completed', 'COMPLETED', 'success_url')
    })
  }

  test('the event has what the details have', async () => {
    const { token, id } = await created()
    await payer.pay(token)
    const { checkout_session: details, transaction } = (await merchant.details(token)).body
    const [event] = await eventsOf(service, id)
    const { token: _token, checkout_url: _url, ...object } = details
    deepEqual(event?.data, { object: { ...object, transaction: { ...transaction, card: '************4242' } } })
    equal(event?.created_at.toISOString(), details.completed_at)
    equal(JSON.stringify(event?.data).includes(token), false, 'a session token opens the session: none in events')
  })
})

describe('The addresses and the consent that a payer gave', () => {
  const billing = { line1: '1 Main Street', city: 'Troy', state: 'NY', postal_code: '12180', country: 'US' }
  const shipping = { ...billing, name: 'Zoë Roy', line2: 'Door 2' }
  const collect = {
    billing_address_collection: 'required',
    shipping_address_collection: 'auto',
    consent_collection: { promotions: 'auto' },
  }
  const collectedIn = (session: Record<string, unknown> = {}) => [session.billing_address, session.shipping_address]

  test('stand in the details and in checkout.session.completed', async () => {
    const { token, id } = (await merchant.createSession(collect)).body.checkout_session
    deepEqual(collectedIn((await merchant.details(token)).body.checkout_session), [null, null])
    const more = { billing_address: billing, shipping_address: shipping, consents: { promotions: true } }
    equal((await payer.pay(token, payBody(undefined, {}, more))).body.ok, true)
    const { checkout_session: details, transaction } = (await merchant.details(token)).body
    deepEqual(collectedIn(details), [billing, shipping])
    equal(details.consent.promotions, 'opt_in')
    const [event] = await eventsOf(service, id)
    const { token: _token, checkout_url: _url, ...object } = details
    deepEqual(event?.data, { object: { ...object, transaction: { ...transaction, card: '************4242' } } })
  })

  test('are null when nothing was collected', async () => {
    const { token, id } = await created()
    await payer.pay(token)
    deepEqual(collectedIn((await merchant.details(token)).body.checkout_session), [null, null])
    deepEqual(collectedIn((await eventsOf(service, id))[0]?.data.object), [null, null])
  })

  test('stay from a try that was declined, and are in checkout.session.failed too', async () => {
    const { token, id } = await created()
    await payer.pay(token, payBody(CARDS.declined, {}, { billing_address: billing }))
    deepEqual(collectedIn((await merchant.details(token)).body.checkout_session), [billing, null])
    await payer.pay(token, payBody(CARDS.declined, {}, { shipping_address: shipping }))
    await payer.pay(token, payBody(CARDS.declined))
    deepEqual(collectedIn((await eventsOf(service, id))[0]?.data.object), [billing, shipping])
  })

  test('are written in one way', async () => {
    const { token } = await created()
    const sent = { state: 'Québec', postal_code: 'h2x1y4', country: 'CA' }
    equal((await payer.pay(token, payBody(undefined, {}, { billing_address: sent }))).body.ok, true)
    const { billing_address } = (await merchant.details(token)).body.checkout_session
    deepEqual(billing_address, { state: 'QC', postal_code: 'H2X 1Y4', country: 'CA' })
  })

  test('come from the page without JavaScript as well', async () => {
    const { token } = (await merchant.createSession(collect)).body.checkout_session
    const { line1, city, country } = billing
    const card = { cardnumber: CARDS.visa, exp: '12/31', cvc: '123', ccname: 'Ana Roy' }
    const fields = { ...card, line1, city, country, state_us: 'NY', postal: '12180', same_as_billing: 'on' }
    await send(`${service.formUrl}/customer/checkout/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
    deepEqual(collectedIn((await merchant.details(token)).body.checkout_session), [billing, billing])
  })
})

test('PENDING + payment declined, fewer than 3 → PENDING / UNPAID, attempt_count increments', async () => {
  const { token, id } = await created()
  for (const attempt of [1, 2]) {
    const { status, body } = await payer.pay(token, payBody(CARDS.declined))
    deepEqual([status, body.ok, body.attempt_count, body.max_attempts], [200, false, attempt, 3])
    equal(await stateOf(token), 'PENDING / UNPAID')
    equal((await merchant.details(token)).body.checkout_session.attempt_count, attempt)
    equal((await payer.data(token)).body.checkout_session.attempt_count, attempt)
  }
  deepEqual(await eventTypes(id), [])
})

test('PENDING + third failed attempt → FAILED / FAILED; the fourth call is 400', async () => {
  const { token, id } = await created()
  await payer.pay(token, payBody(CARDS.declined))
  await payer.pay(token, payBody(CARDS.declined))
  const { status, body } = await payer.pay(token, payBody(CARDS.declined))
  deepEqual([status, body.ok, body.attempt_count, body.max_attempts], [200, false, 3, 3])
  match(body.cancel_url, /^https:\/\/shop\.example\/cart\?session_token=/)
  equal(await stateOf(token), 'FAILED / FAILED')
  deepEqual(await eventTypes(id), ['checkout.session.failed'])
  await assertClosed(token, 'session_failed', 'FAILED', 'cancel_url')
  const [event] = await eventsOf(service, id)
  const object = event?.data.object
  deepEqual([object?.session_status, object?.payment_status, object?.attempt_count], ['FAILED', 'FAILED', 3])
})

describe('PENDING + 24 hours elapse → EXPIRED', () => {
  const moveClock = (seconds: number) => setBusiness(service, { clock_offset_seconds: seconds })
  afterEach(() => resetClock(service))

  test('a minute before, it can be paid', async () => {
    const { token } = await created()
    await moveClock(DAY_SECONDS - 60)
    equal(await expireSessions(service.app.services), 0)
    equal((await payer.validate(token)).body.status, 'PENDING')
    equal((await payer.pay(token)).body.ok, true)
  })

  test('further use returns 400 from that instant on, also before the job has run', async () => {
    const { token, id } = await created()
    await moveClock(DAY_SECONDS)
    await assertClosed(token, 'session_expired', 'EXPIRED', 'cancel_url')
    assertRefused(await merchant.cancel(token), 400, 'session_expired')
    equal(await stateOf(token), 'EXPIRED / UNPAID')
    deepEqual(await eventTypes(id), [])
    await expireSessions(service.app.services)
    equal(await stateOf(token), 'EXPIRED / UNPAID')
    await assertClosed(token, 'session_expired', 'EXPIRED', 'cancel_url')
  })

  test('the job records one event, at the instant of expiry, however often it runs', async () => {
    const { token, id, expires_at } = await created()
    await moveClock(DAY_SECONDS + 3_600)
    await Promise.all([expireSessions(service.app.services), expireSessions(service.app.services)])
    await expireSessions(service.app.services)
    deepEqual(await eventTypes(id), ['checkout.session.expired'])
    const [event] = await eventsOf(service, id)
    equal(event?.created_at.toISOString(), expires_at)
    equal(event?.data.object.session_status, 'EXPIRED')
    // A stored expiry stays: time does not run backwards for it.
    await moveClock(0)
    equal(await stateOf(token), 'EXPIRED / UNPAID')
  })

  test('after declines too: the count stays, the session is EXPIRED and not FAILED', async () => {
    const { token } = await created()
    await payer.pay(token, payBody(CARDS.declined))
    await moveClock(DAY_SECONDS)
    await expireSessions(service.app.services)
    equal(await stateOf(token), 'EXPIRED / UNPAID')
    equal((await merchant.details(token)).body.checkout_session.attempt_count, 1)
  })

  test('closed sessions keep their state', async () => {
    const [paid, failed, cancelled] = [await created(), await created(), await created()]
    await payer.pay(paid.token)
    for (let count = 1; count <= 3; count++) await payer.pay(failed.token, payBody(CARDS.declined))
    await merchant.cancel(cancelled.token)
    await moveClock(DAY_SECONDS)
    await expireSessions(service.app.services)
    const states = await Promise.all([paid, failed, cancelled].map(({ token }) => stateOf(token)))
    deepEqual(states, ['COMPLETED / PAID', 'FAILED / FAILED', 'CANCELLED / UNPAID'])
  })

  test('a payment that began in time completes the session, though its response comes after', async () => {
    const { token, id } = await created()
    await service.simulator.script({ latency: { minMs: 1_000, maxMs: 1_000 } })
    const paying = payer.pay(token)
    await begun(token)
    await moveClock(DAY_SECONDS)
    await expireSessions(service.app.services)
    equal((await paying).body.ok, true)
    await service.simulator.resetScript()
    equal(await stateOf(token), 'COMPLETED / PAID')
    deepEqual(await eventTypes(id), ['checkout.session.completed'])
  })
})

describe('a payment that runs', () => {
  test('is shown, and the second submit gets 400 payment_in_progress, charged: null', async () => {
    const { token } = await created()
    await service.simulator.script({ latency: { minMs: 1_000, maxMs: 1_000 } })
    const paying = payer.pay(token)
    await begun(token)
    const [data, second, cancel] = await Promise.all([payer.data(token), payer.pay(token), merchant.cancel(token)])
    equal(data.body.checkout_session.payment_in_progress, true)
    assertRefused(second, 400, 'payment_in_progress')
    equal(second.body.charged, null)
    assertRefused(cancel, 400, 'payment_in_progress')
    equal((await paying).body.ok, true)
    await service.simulator.resetScript()
    equal(await stateOf(token), 'COMPLETED / PAID')
  })

  test('ten submits at once charge once', async () => {
    const { token, id } = await created()
    const earlier = (await service.simulator.rows()).length
    const responses = await Promise.all(Array.from({ length: 10 }, () => payer.pay(token)))
    const codes = responses.map(({ body }) => (body.ok ? 'paid' : body.code))
    equal(codes.filter((code) => code === 'paid').length, 1)
    equal(
      codes.every((code) => ['paid', 'payment_in_progress', 'session_completed'].includes(code)),
      true,
      `${codes}`,
    )
    equal((await service.simulator.rows()).length - earlier, 1)
    deepEqual(await eventTypes(id), ['checkout.session.completed'])
  })

  test('declines that race never count past three', async () => {
    const { token, id } = await created()
    for (let round = 1; round <= 4; round++) {
      await Promise.all([payer.pay(token, payBody(CARDS.declined)), payer.pay(token, payBody(CARDS.declined))])
    }
    equal((await merchant.details(token)).body.checkout_session.attempt_count, 3)
    deepEqual(await eventTypes(id), ['checkout.session.failed'])
  })
})

async function begun(token: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await payer.validate(token)).body.payment_in_progress) return
  }
  throw new Error('The payment did not begin')
}
