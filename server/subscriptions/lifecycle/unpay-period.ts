import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Payment } from '../../payments/payment.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { lockSubscription } from '../subscription-queries.ts'
import { type LifecycleServices, saveTransition } from './change-subscription.ts'
import type { Ending } from './end-billing.ts'

/**
 * Marks the period of a voided payment as unpaid: the paid time falls back to the start of the period. The period is
 * not billed again, and still counts as an approved bill. Only a paused subscription shows the change.
 *
 * @param tx the transaction that records the void
 * @see BIL-30
 */
export async function unpayPeriod(
  services: Omit<LifecycleServices, 'db'>,
  tx: Tx,
  { id, businessId, subscriptionId }: Pick<Payment, 'id' | 'businessId' | 'subscriptionId'>,
): Promise<void> {
  if (subscriptionId === null) return
  const loaded = await lockSubscription(tx, businessId, subscriptionId)
  const ending = loaded && unpaid(loaded, id)
  if (!ending) return
  const business = await findBusiness(tx, businessId)
  if (!business) throw new Error('the business of a subscription is missing')
  const now = businessNow(services.clock, business)
  await saveTransition({ ...services, db: tx }, loaded, { ...ending, event: 'subscription.updated' }, now)
}

/** @returns `null` if the payment does not cover the paid time, or no longer does */
function unpaid({ subscription, pause }: LoadedSubscription, paymentId: string): Ending | null {
  const { paid } = subscription
  if (paid === null || paid.paymentId !== paymentId) return null
  const nothingLeft = { paidThroughAt: paid.from, remainingPaidSeconds: 0 }
  return {
    after: { ...subscription, paid: { ...paid, paymentId: null, throughAt: paid.from } },
    bills: [],
    pauses: pause?.status === 'active' ? [{ ...pause, ...nothingLeft }] : [],
  }
}
