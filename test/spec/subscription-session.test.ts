import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput, signedUp } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(async () => {
  await assertSoundBooks(service)
  await service.close()
})

describe('A session of mode subscription', () => {
  test('CHK-20: an approval begins the subscription with its customer, its card and its first bill', async () => {
    const email = `${newId()}@example.com`
    const token = await merchant.sessionToken(planInput({ customer_email: email }))
    const paid = await payer.pay(token, payBody(CARDS.visa))
    equal(paid.status, 200, JSON.stringify(paid.body))
    equal(paid.body.ok, true)
    const { body } = await merchant.details(token)
    deepEqual([body.status, body.checkout_session.payment_status], ['COMPLETED', 'PAID'])
    equal(body.transaction.id, paid.body.result.recordID)
    const one = await signedUp(service, body.checkout_session.subscription_id)
    const today = dayOf(new Date(), one.subscription.timeZone)
    deepEqual(
      [one.subscription.status, one.subscription.amount, one.subscription.anchorDate, one.subscription.paidBills],
      ['active', 2_550, today, 1],
    )
  })
})
