import type { Business } from '../../businesses/business.ts'
import { isDatabaseAway } from '../../db/database-errors.ts'
import { transaction } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { JUST_INSERTED, newReversal } from '../new-operation.ts'
import type { Operation } from '../operation.ts'
import { findOpenReversal, findOperation, insertUnlessOpen } from '../operation-queries.ts'
import type { Payment } from '../payment.ts'
import { isBatchSettled, lockPayment } from '../payment-queries.ts'
import { noSuchPayment, refundInProgress } from '../refunds/begin-refund.ts'
import type { SendingServices } from '../services.ts'

export interface VoidOrder {
  business: Business
  paymentId: string
  /** Id of the void's operation, used like the id of a refund order; new if absent. */
  id?: string
}

/** A void whose intent is committed. */
export interface BegunVoid {
  operation: Operation
  sale: Operation
}

/**
 * Step 1: checks the payment and inserts the operation, under the payment's row lock.
 *
 * @throws ApiError `not_found`, `conflict`; `internal_error` when the intent may be committed
 * @see REF-10
 */
export async function beginVoid(services: SendingServices, { business, paymentId, id }: VoidOrder): Promise<BegunVoid> {
  const { db, clock, timings } = services
  services.faults.reach('before:intent_commit')
  let isInserted = false
  const begun = await transaction(db, async (tx) => {
    const payment = isUuid(paymentId) ? await lockPayment(tx, business.id, paymentId) : undefined
    if (!payment) throw noSuchPayment()
    const sale = await findOperation(tx, business.id, payment.operationId)
    if (!sale) throw new Error('the sale of a payment is missing')
    // Throws for a terminal whose gateway is not configured, before the intent is committed.
    services.gateways(sale.gateway)
    requireVoidable(payment)
    if (await isBatchSettled(tx, payment)) throw batchSettled()
    if (await findOpenReversal(tx, business.id, sale.id)) throw refundInProgress()
    const operation = { ...newReversal(sale, 'void', payment.amount, clock.now(), timings), ...(id && { id }) }
    if (!(await insertUnlessOpen(tx, operation))) throw refundInProgress()
    isInserted = true
    return { operation: { ...sale, ...operation, ...JUST_INSERTED }, sale }
  }).catch((error: unknown) => {
    // The connection was lost, so the commit may have succeeded, and then recovery sends the void.
    throw isInserted && isDatabaseAway(error) ? unconfirmedVoid() : error
  })
  services.faults.reach('after:intent_commit')
  return begun
}

function requireVoidable({ status, refundedAmount }: Payment): void {
  if (status !== 'succeeded')
    throw new ApiError('conflict', { message: `The payment is ${status}: it cannot be voided` })
  if (refundedAmount > 0) {
    throw new ApiError('conflict', {
      message: 'A part of the payment is refunded, so it cannot be voided: refund the rest',
    })
  }
}

export const batchSettled = () =>
  new ApiError('conflict', { message: 'The batch of the payment is settled, so it cannot be voided: refund it' })

export const unconfirmedVoid = () =>
  new ApiError('internal_error', {
    message: 'The void could not be confirmed yet; it is being resolved. Retrieve the payment for its outcome.',
  })
