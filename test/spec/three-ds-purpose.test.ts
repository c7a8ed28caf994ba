import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findByToken } from '../../server/checkout/sessions/load-session.ts'
import { recordResult } from '../../server/checkout/three-ds/record-verdict.ts'
import { authenticationIdOf } from '../../server/three-d-secure/authentication.ts'
import { findAuthentication } from '../../server/three-d-secure/authentication-queries.ts'
import { CARDS } from '../support/card-numbers.ts'
import { cardLinkOf } from '../support/customer-card-link.ts'
import { challenge, decided, verdict } from '../support/fake-three-ds-server.ts'
import { payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { openOtherTab } from '../support/other-tab.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'
import { savedCardBody, storeCard } from '../support/stored-card.ts'
import { openThreeDsBusiness, type ThreeDsBusiness } from '../support/three-ds-business.ts'

// TDS-26: the purpose that the bank gets; and the effect of a result on a session that is being paid.

let business: ThreeDsBusiness
before(async () => {
  business = await openThreeDsBusiness()
})
after(() => business[Symbol.asyncDispose]())
beforeEach(() => business.bank.reset())

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Authenticates the payer of the session. @returns the reason, and the plan of payments, that the bank received */
async function purposeOf(token: string, amount = 25.5) {
  const { payer, bank } = business
  await payer.authenticated(token, { amount })
  const request = bank.requests.at(-1)
  return { reason: request?.reason, recurring: request?.recurring, amount: request?.amount }
}

describe('The purpose of an authentication', () => {
  test('of a plan that begins today: the first of recurring payments', async () => {
    const token = await business.merchant.sessionToken(planInput())
    const { recurring, ...purpose } = await purposeOf(token)
    deepEqual(purpose, { reason: 'recurring', amount: 2_550 })
    const { next, ...plan } = recurring ?? { next: null }
    deepEqual(plan, { frequencyDays: 28, until: '2099-12-31', count: null })
    const days = (Date.parse(next ?? '') - Date.now()) / 86_400_000
    ok(days > 26 && days < 32, `${next}`)
  })

  test('of a plan that begins later: a card is added', async () => {
    const token = await business.merchant.sessionToken(planInput({}, { start_date: dayIn(5) }))
    deepEqual(await purposeOf(token), { reason: 'add_card', recurring: null, amount: 2_550 })
  })

  test('of a card that is only stored: a card is added, for no amount', async () => {
    const { service } = business
    const { id } = await merchantApiOf(service).made('/customers', { name: 'Ana Roy' })
    deepEqual(await purposeOf(await openedLink(await cardLinkOf(service, id)), 0), {
      reason: 'add_card',
      recurring: null,
      amount: 0,
    })
  })

  test('is that of the result of a challenge too', async () => {
    const { payer, bank, merchant, mark, clock } = business
    const sessions: Record<string, Record<string, unknown>> = {
      payment: {},
      add_card: planInput({}, { start_date: dayIn(5) }),
    }
    for (const [reason, input] of Object.entries(sessions)) {
      const asked: string[] = []
      bank.onAuthenticate = challenge
      bank.onInquiry = (inquiry) => {
        asked.push(inquiry.reason)
        return { outcome: 'pending' }
      }
      const token = await merchant.sessionToken(input)
      const id = await payer.begin(token)
      await payer.authenticate(token, id)
      await mark(id, { challenge_opened_at: clock.now(), challenge_returned_at: clock.now() })
      await payer.authenticate(token, id)
      deepEqual(asked, [reason])
    }
  })

  test('of a plan with a number of bills that waits for its card: installments, until the last of them', async () => {
    const waiting = await waitingSubscription(merchantApiOf(business.service), { installments: 3 })
    const { reason, recurring } = await purposeOf(await openedLink(waiting.checkout_url), 25)
    deepEqual([reason, recurring?.count, recurring?.frequencyDays], ['installment', 3, 28])
    const days = (Date.parse(recurring?.until ?? '') - Date.now()) / 86_400_000
    // Two months, one of which may be February, less the elapsed part of today.
    equal(days > 57 && days < 64, true, recurring?.until)
  })

  test('of a link that stands for a session: its token is taken too', async () => {
    const waiting = await waitingSubscription(merchantApiOf(business.service))
    const linked = new URL(waiting.checkout_url).pathname.split('/').at(-1) ?? ''
    equal((await purposeOf(linked, 25)).reason, 'recurring')
  })
})

describe('What the bank is told of the customer (TDS-29)', () => {
  const accountOf = async (session: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const token = await business.merchant.sessionToken(session)
    equal((await business.payer.authenticate(token, await business.payer.begin(token, more))).status, 200)
    return business.bank.requests.at(-1)?.account
  }

  test('nothing of a guest', async () => {
    equal(await accountOf({ customer_email: 'nobody@example.com' }), null)
  })

  test('age, purchases and transactions of a customer whom the merchant named, and the age of the stored card', async () => {
    const { service } = business
    await setBusiness(service, { three_ds_enabled: false })
    const cardNumber = CARDS.onlyWhenTyped
    const { customerId: customer_id, cardId } = await storeCard(service, 'known@example.com', { cardNumber })
    const declined = await business.merchant.sessionToken({ customer_id })
    equal((await payerOf(service).pay(declined, savedCardBody(cardId))).body.ok, false)
    await setBusiness(service, { three_ds_enabled: true })
    for (const session of [{ customer_id }, { customer_email: 'known@example.com' }]) {
      const account = await accountOf(session)
      const { purchases, dayCount, yearCount, cardStoredAt } = account ?? {}
      deepEqual([purchases, dayCount, yearCount, cardStoredAt], [1, 2, 2, null])
      const ageMs = (account?.asOf.getTime() ?? 0) - (account?.createdAt.getTime() ?? 0)
      ok(ageMs >= 0 && ageMs < 120_000, `${ageMs} ms`)
    }
    const saved = { payment_method_type: 'saved_card', cardId, cardData: undefined }
    ok((await accountOf({ customer_id }, saved))?.cardStoredAt)
  })
})

describe('A payer who was not authenticated', () => {
  test('and declines: the last of both is the last decline; the event of the failed session shows the same as the details', async () => {
    const { token: other, id: failed } = await business.begun()
    business.bank.onAuthenticate = () => decided('N', { reason: null })
    await business.payer.authenticate(other, failed)
    business.bank.reset()
    await business.payer.authenticated(other, { cardNumber: CARDS.declined })
    equal((await business.payer.pay(other, CARDS.declined)).body.ok, false)
    const lastDecline = async () => (await business.merchant.details(other)).body.checkout_session.last_decline
    deepEqual([(await lastDecline()).code, /3-D Secure/.test((await lastDecline()).message)], ['ND', false])
    business.bank.onAuthenticate = () => decided('N', { reason: null })
    await business.payer.authenticate(other, await business.payer.begin(other, { cardNumber: CARDS.mastercard }))
    const { checkout_session } = (await business.merchant.details(other)).body
    deepEqual(checkout_session.last_decline, { code: 'ND', message: '3-D Secure: N' })
    const [event] = await eventsOf(business.service, checkout_session.id)
    deepEqual(event?.data.object.last_decline, checkout_session.last_decline)
  })

  test('while another tab pays, counts nothing, and the payment completes the session', async () => {
    const { service, merchant, payer, bank, attemptsOf } = business
    const token = await merchant.sessionToken()
    bank.onAuthenticate = challenge
    const id = await payer.begin(token)
    await payer.authenticate(token, id)
    const loaded = await findByToken(service.app.services, token)
    const { businessId, id: sessionId } = loaded.session
    const place = { businessId, sessionId, id: authenticationIdOf(id) ?? '' }
    const found = await findAuthentication(service.app.services.db, place)
    if (!found) throw new Error('no such authentication')
    await using tab = await openOtherTab(service, token)
    await tab.begin()
    await tab.commit()
    const caller = { loaded, ip: '127.0.0.1', payerIpPrefix: '127.0.0.1' }
    await recordResult(service.app.services, caller, found, verdict('N'))
    equal(await attemptsOf(token), 0)
    const row = await business.rowOf(id)
    deepEqual([row.state, row.trans_status, row.counted], ['FAILED', 'N', false])
    await tab.finish()
    equal((await merchant.details(token)).body.checkout_session.session_status, 'COMPLETED')
  })
})
