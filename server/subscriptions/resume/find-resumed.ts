import type { ResumedSubscription, ResumeRequest } from '../../../contract/subscription.ts'
import type { Db } from '../../db/connection.ts'
import { ApiError } from '../../lib/errors.ts'
import { isOpen } from '../../payments/operation.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import { findPaymentOfSale } from '../../payments/payment-queries.ts'
import { cardDeclined } from '../charge-refusal.ts'
import type { WhichSubscription } from '../lifecycle/change-subscription.ts'
import { responseOf } from './respond-once.ts'
import { readKey } from './resume-key.ts'
import { findResumeRequest } from './resume-request-queries.ts'

/**
 * Finds the result of a resume whose response was lost, by the id that was both its idempotency key and its charge's
 * id.
 *
 * @returns `null` if the resume has done nothing
 * @throws ApiError `card_declined` if its charge was declined, is unknown, or was not made
 * @see SUB-32, SUB-33
 */
export async function findResumed(
  db: Db,
  { business, id: subscriptionId }: WhichSubscription,
  { body, id }: { body: ResumeRequest; id: string },
): Promise<ResumedSubscription | null> {
  const request = readKey(id, body, { businessId: business.id, subscriptionId })
  const known = request && (await findResumeRequest(db, request))
  if (known?.response) return responseOf(known.response)
  const charge = await findOperation(db, business.id, id)
  if (!charge) return null
  const payment = await findPaymentOfSale(db, business.id, id)
  if (payment?.status === 'failed') throw cardDeclined({ code: payment.code, message: payment.message })
  const message = isOpen(charge.state)
    ? 'The outcome of the charge is being resolved. The subscription stays paused; an approval will be reversed.'
    : 'The card was not charged. The subscription stays paused.'
  throw new ApiError('card_declined', { message })
}
