import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { approvalOf } from '../../payments/charge/record-result.ts'
import { newReversal } from '../../payments/new-operation.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import { finalizeWithReversal } from '../../payments/outcome-queries.ts'
import { reverseNow } from '../../payments/recovery/reverse-sale.ts'
import { isUnsigned } from '../contract.ts'
import type { LoadedSubscription } from '../subscription.ts'
import type { DetailServices } from '../subscription-details.ts'
import { findSubscription } from '../subscription-queries.ts'
import { activation } from './activation.ts'
import type { FirstSale, SignUpInput } from './first-bill.ts'
import { recordActivation } from './sign-up-queries.ts'

const ATTEMPTS_MAX = 20

/**
 * Records the approval of the first bill. If the subscription was canceled while the charge was open, the sale is
 * voided, so the customer does not pay for nothing.
 *
 * @returns `false` if another writer has already decided the outcome
 * @throws ApiError `session_cancelled` if the subscription no longer waits
 * @see SUB-3, SUB-42
 */
export async function recordFirstBill(
  services: SessionServices & DetailServices,
  input: SignUpInput & { first: FirstSale },
): Promise<boolean> {
  const { db, clock } = services
  const { operation, result } = input.first
  const outcome = approvalOf(operation, result, clock.now())
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const before = await findWaiting(services, input)
    if (!before) return reverseUnwanted(services, input.first)
    const { parties, paid, change } = await activation(services, before, input)
    if (await recordActivation(db, parties, paid && { outcome, payment: paid }, change)) return true
    const stored = await findOperation(db, operation.businessId, operation.id)
    if (stored?.state !== 'SENT' && stored?.state !== 'IN_DOUBT') return false
  }
  return false
}

/** Records that the card was verified. @throws ApiError `session_cancelled` if the subscription no longer waits */
export async function recordVerifiedActivation(
  services: SessionServices & DetailServices,
  input: SignUpInput,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const before = await findWaiting(services, input)
    if (!before) throw canceledMeanwhile()
    const { parties, change } = await activation(services, before, input)
    if (await recordActivation(services.db, parties, null, change)) return true
    const now = await findSubscription(services.db, change.after.businessId, change.after.id)
    if (now?.subscription.version === before.subscription.version) return false
  }
  return false
}

async function findWaiting(
  { db }: SessionServices,
  { session: { businessId, subscriptionId } }: SignUpInput,
): Promise<LoadedSubscription | null> {
  const found = subscriptionId === null ? undefined : await findSubscription(db, businessId, subscriptionId)
  return found?.subscription.status === 'pending_payment_method' && !isUnsigned(found) ? found : null
}

async function reverseUnwanted(services: SessionServices, { operation, result }: FirstSale): Promise<false> {
  const { db, clock, timings } = services
  const now = clock.now()
  const { code, message, gatewayRef, issuerReference } = result
  const outcome = { ...approvalOf(operation, result, now), trigger: 'found approved' as const, code, message }
  const reversal = newReversal(operation, 'reversal_void', 0 as Cents, now, timings)
  const isWritten = await finalizeWithReversal(db, { ...outcome, gatewayRef, issuerReference }, reversal, null)
  if (!isWritten) return false
  services.log.warn(
    { operation: operation.id },
    'a subscription was canceled while its first bill was charged; voiding',
  )
  await reverseNow(services, { ...operation, gatewayRef })
  throw canceledMeanwhile()
}

const canceledMeanwhile = () =>
  new ApiError('session_cancelled', {
    message: 'This subscription was cancelled by the merchant. Nothing was charged.',
    extra: { status: 'CANCELLED', charged: false },
  })
