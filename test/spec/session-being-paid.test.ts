import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expireSessions } from '../../server/checkout/sessions/expire-sessions.ts'
import { type Merchant, merchantOf, payerOf, send } from '../support/merchant.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// A session that expires while it is being paid is PENDING on every path; it expires once no operation is open any
// more.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
let token: string
let id: string
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  const { body } = await merchant.createSession({ customer_email: 'slow@example.com' })
  token = body.checkout_session.token
  id = body.checkout_session.id
  await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'silent_not_recorded' }] })
  equal((await payer.pay(token)).body.code, 'gateway_timeout')
  await service.app.services.db
    .updateTable('checkout_session')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute()
})
after(() => service.close())

async function listed(query: Record<string, string>): Promise<string[]> {
  const { body } = await merchant.get(`/checkout-sessions?${new URLSearchParams({ customer: 'slow@', ...query })}`)
  return body.checkout_sessions.data.map(({ session_status }: { session_status: string }) => session_status)
}

describe('A session that is being paid when its time is over', () => {
  test('is PENDING in the details and in the list, with any filter', async () => {
    const { body } = await merchant.details(token)
    deepEqual([body.status, body.checkout_session.session_status], ['PENDING', 'PENDING'])
    deepEqual(await listed({}), ['PENDING'])
    deepEqual(await listed({ status: 'PENDING' }), ['PENDING'])
    deepEqual(await listed({ status: 'EXPIRED' }), [])
  })

  test('is PENDING for the payer', async () => {
    const valid = await payer.validate(token)
    deepEqual([valid.status, valid.body.status, valid.body.payment_in_progress], [200, 'PENDING', true])
    const data = await payer.data(token)
    deepEqual([data.status, data.body.status, data.body.checkout_session.session_status], [200, 'PENDING', 'PENDING'])
    assertRefused(await payer.pay(token), 400, 'payment_in_progress')
    const page = await send(`${service.formUrl}/customer/checkout/${token}`)
    match(page.body, /data-state="checking"|Checking|still being processed/i)
  })

  test('is not closed, by the merchant or by time', async () => {
    assertRefused(await merchant.cancel(token), 400, 'payment_in_progress')
    await expireSessions(service.app.services)
    deepEqual(await eventsOf(service, id), [])
    deepEqual(await listed({}), ['PENDING'])
  })
})
