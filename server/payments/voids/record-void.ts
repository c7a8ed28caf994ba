import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { newEvent } from '../../events/event.ts'
import { recordEvent } from '../../events/event-queries.ts'
import { fenceOf, type Operation } from '../operation.ts'
import { finalize } from '../outcome-queries.ts'
import { type Payment, paymentObject } from '../payment.ts'
import { findPaymentOfSale, lockPayment, writeVoided } from '../payment-queries.ts'
import type { PaymentServices } from '../services.ts'

/**
 * Records that the sale is voided: marks the payment as voided and updates what depends on it, in one transaction. The
 * payment is locked first, as in step 1.
 *
 * @returns `null` when another writer has decided the outcome first
 * @see REF-11, REF-12
 */
export async function recordVoided(
  services: PaymentServices,
  operation: Operation,
  message: string | null,
): Promise<Payment | null> {
  const { db, clock } = services
  const { businessId, parentId } = operation
  const now = clock.now()
  const business = await findBusiness(db, businessId)
  const found = await findPaymentOfSale(db, businessId, parentId ?? '')
  if (!business || !found) throw new Error('the payment of a void is missing')
  const voided = await transaction(db, async (tx) => {
    const payment = await lockPayment(tx, businessId, found.id)
    if (!payment) throw new Error('the payment of a void is missing')
    if (!(await finalize(tx, { ...fenceOf(operation), trigger: 'approved', code: 'AA', message, now }))) return null
    const after: Payment = { ...payment, status: 'voided' }
    await writeVoided(tx, after)
    await services.onVoided(tx, after)
    const data = { object: paymentObject(after), previous_attributes: { status: payment.status } }
    const createdAt = businessNow(clock, business)
    await recordEvent(tx, newEvent({ businessId, type: 'payment.voided', objectId: after.id, data, createdAt }))
    return after
  })
  if (voided) services.count('voided')
  return voided
}

/** Records that the void provably did nothing; the payment stays unchanged. */
export function recordFailedVoid(
  { db, clock }: PaymentServices,
  operation: Operation,
  trigger: 'declined' | 'not sent',
  message: string,
): Promise<boolean> {
  return finalize(db, { ...fenceOf(operation), trigger, message, now: clock.now() })
}
