import { type Business, businessNow } from '../../businesses/business.ts'
import { isDatabaseAway } from '../../db/database-errors.ts'
import { transaction } from '../../db/transaction.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { JUST_INSERTED, newReversal } from '../new-operation.ts'
import type { Operation } from '../operation.ts'
import { findOpenReversal, findOperation, insertUnlessOpen } from '../operation-queries.ts'
import type { Payment } from '../payment.ts'
import { lockPayment } from '../payment-queries.ts'
import type { SendingServices } from '../services.ts'
import { recordFailedRefund } from './record-refund.ts'
import { type Refund, restOf } from './refund.ts'
import { findRefund, insertRefund } from './refund-queries.ts'

export interface RefundOrder {
  business: Business
  paymentId: string
  /** `null` refunds the whole remaining amount. */
  amount: Cents | null
  /** Id of the refund, so that a caller that lost the response can find it; never used twice. New if absent. */
  id?: string
}

/** A refund whose intent is committed. */
export interface BegunRefund {
  operation: Operation
  refund: Refund
  sale: Operation
}

/**
 * Step 1: checks the payment, reserves the amount and inserts the operation, under the payment's row lock.
 *
 * @throws ApiError `not_found`, `conflict`, `validation_failed`
 * @see REF-2 to REF-4
 */
export async function beginRefund(services: SendingServices, order: RefundOrder): Promise<BegunRefund> {
  const { db, clock, timings } = services
  const { business, paymentId } = order
  let begun: BegunRefund | undefined
  services.faults.reach('before:intent_commit')
  try {
    await transaction(db, async (tx) => {
      const payment = isUuid(paymentId) ? await lockPayment(tx, business.id, paymentId) : undefined
      if (!payment) throw noSuchPayment()
      const sale = await findOperation(tx, business.id, payment.operationId)
      if (!sale) throw new Error('the sale of a payment is missing')
      // Throws for a terminal whose gateway is not configured, before the intent is committed.
      services.gateways(sale.gateway)
      requireRefundable(payment, await findOpenReversal(tx, business.id, sale.id))
      const amount = amountOf(order, payment)
      const operation = {
        ...newReversal(sale, 'refund', amount, clock.now(), timings),
        ...(order.id && { id: order.id }),
      }
      const refund = newRefund(payment, operation.id, amount, businessNow(clock, business))
      begun = { operation: { ...sale, ...operation, ...JUST_INSERTED }, refund, sale }
      if (!(await insertUnlessOpen(tx, operation))) throw refundInProgress()
      await insertRefund(tx, refund)
    })
  } catch (error) {
    // The connection was lost, so the commit may have succeeded. Nothing was sent.
    if (!begun || !isDatabaseAway(error)) throw error
    await withdraw(services, begun)
    throw error
  }
  if (!begun) throw new Error('a refund was committed without a row')
  services.faults.reach('after:intent_commit')
  return begun
}

/** @throws ApiError `internal_error` if the refund may be committed nevertheless, in which case recovery sends it */
async function withdraw(services: SendingServices, { operation, refund }: BegunRefund): Promise<void> {
  const message = 'The database was unavailable'
  try {
    if (!(await findRefund(services.db, refund.businessId, refund.id))) return
    await recordFailedRefund(services, operation, { reason: 'gateway_unavailable', trigger: 'not sent', message })
  } catch (cause) {
    throw new ApiError('internal_error', {
      message: `The refund may be recorded as ${refund.id}. Retrieve it before you repeat the request.`,
      cause,
    })
  }
}

function requireRefundable({ status }: Payment, open: Operation | undefined): void {
  if (status !== 'succeeded')
    throw new ApiError('conflict', { message: `The payment is ${status}: it has nothing to refund` })
  if (open) throw refundInProgress()
}

export const refundInProgress = () =>
  new ApiError('conflict', {
    message: 'A refund or a void of this payment is in progress. Wait for its outcome.',
  })

/** @throws ApiError `validation_failed` if the amount exceeds what remains of the payment */
function amountOf({ amount }: RefundOrder, payment: Payment): Cents {
  const rest = restOf(payment)
  if (amount === null) return rest
  if (amount >= 1 && amount <= rest) return amount
  throw invalidField(
    'amount',
    `must be between 1 and ${rest}, which remain of the payment (${decimalFromCents(rest)} ${payment.currency})`,
  )
}

function newRefund(payment: Payment, id: string, amount: Cents, createdAt: Date): Refund {
  const { businessId, subscriptionId, customerId, currency } = payment
  const open = { status: 'pending', failureReason: null, receiptId: null } as const
  return { businessId, id, paymentId: payment.id, subscriptionId, customerId, amount, currency, createdAt, ...open }
}

export const noSuchPayment = () =>
  new ApiError('not_found', { message: 'No such payment', errors: { payment: ['does not exist in this business'] } })
