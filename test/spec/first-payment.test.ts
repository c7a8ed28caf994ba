import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { openService } from '../support/service.ts'

test('a session is created, paid with a typed card, and read back COMPLETED and PAID', async () => {
  await using service = await openService()
  const merchant = merchantOf(service)
  const token = await merchant.sessionToken()

  const paid = await payerOf(service).pay(token)

  equal(paid.status, 200)
  equal(paid.body.result.code, 'AA')
  match(paid.body.success_url, /^https:\/\/shop\.example\/thanks\?session_token=[\w-]{64}&session_id=[\w-]{64}$/)
  const { body } = await merchant.details(token)
  equal(body.checkout_session.session_status, 'COMPLETED')
  equal(body.checkout_session.payment_status, 'PAID')
  equal(body.transaction.recordID ?? body.transaction.transactionID, paid.body.result.recordID)
})
