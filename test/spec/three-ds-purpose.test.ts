import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findByToken } from '../../server/checkout/sessions/load-session.ts'
import { recordResult } from '../../server/checkout/three-ds/record-verdict.ts'
import { authenticationIdOf } from '../../server/three-d-secure/authentication.ts'
import { findAuthentication } from '../../server/three-d-secure/authentication-queries.ts'
import { challenge, verdict } from '../support/fake-three-ds-server.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { openOtherTab } from '../support/other-tab.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'
import { openThreeDsBusiness, type ThreeDsBusiness } from '../support/three-ds-business.ts'

// TDS-26: the purpose that the bank gets; and what a result does to a session that is being paid.

let business: ThreeDsBusiness
before(async () => {
  business = await openThreeDsBusiness()
})
after(() => business[Symbol.asyncDispose]())
beforeEach(() => business.bank.reset())

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Authenticates the payer of the session. @returns the reason, and the plan of payments, that the bank got */
async function purposeOf(token: string, amount = 25.5) {
  const { payer, bank } = business
  await payer.authenticated(token, { amount })
  const request = bank.requests.at(-1)
  return { reason: request?.reason, recurring: request?.recurring, amount: request?.amount }
}

describe('The purpose of an authentication', () => {
  test('of a plan that begins today: the first of recurring payments', async () => {
    const token = await business.merchant.sessionToken(planInput())
    const recurring = { frequencyDays: 28, until: '2099-12-31', count: null }
    deepEqual(await purposeOf(token), { reason: 'recurring', recurring, amount: 2_550 })
  })

  test('of a plan that begins later: a card is added', async () => {
    const token = await business.merchant.sessionToken(planInput({}, { start_date: dayIn(5) }))
    deepEqual(await purposeOf(token), { reason: 'add_card', recurring: null, amount: 2_550 })
  })

  test('of a plan with a number of bills that waits for its card: installments, until the last of them', async () => {
    const waiting = await waitingSubscription(merchantApiOf(business.service), { installments: 3 })
    const { reason, recurring } = await purposeOf(await openedLink(waiting.checkout_url), 25)
    deepEqual([reason, recurring?.count, recurring?.frequencyDays], ['installment', 3, 28])
    const days = (Date.parse(recurring?.until ?? '') - Date.now()) / 86_400_000
    equal(days > 59 && days < 64, true, recurring?.until)
  })

  test('of a link that stands for a session: its token is taken too', async () => {
    const waiting = await waitingSubscription(merchantApiOf(business.service))
    const linked = new URL(waiting.checkout_url).pathname.split('/').at(-1) ?? ''
    equal((await purposeOf(linked, 25)).reason, 'recurring')
  })
})

describe('A payer who was not authenticated', () => {
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
