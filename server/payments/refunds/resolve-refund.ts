import type { FoundTransaction } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { inquire } from '../call-gateway.ts'
import { isNotFoundFinal, type Operation, type Resolution } from '../operation.ts'
import { findOperation, renewDeadline } from '../operation-queries.ts'
import type { PaymentServices } from '../services.ts'
import { recordFailedRefund, recordRefunded } from './record-refund.ts'
import { approvedRefund, recordDefinite, sendRefund } from './send-refund.ts'

/**
 * Runs one round of recovery for an open refund. If the gateway made the refund, it is recorded as succeeded. If the
 * gateway finally did not, the refund is sent again under the same reference, because the merchant was told that it is
 * pending.
 *
 * @see REF-7, PAY-25
 */
export async function resolveRefund(services: PaymentServices, refund: Operation): Promise<Resolution> {
  const { clock, timings, gateways } = services
  const finding = await inquire(services, refund)
  if (finding.found === 'indeterminate') return { notFoundSince: refund.notFoundSince }
  if (finding.found) return recordFound(services, refund, finding.transaction)
  const { notFoundFinalAfterMs } = gateways(refund.gateway).capabilities
  if (!isNotFoundFinal(refund, clock.now(), { notFoundFinalAfterMs, agreeingMs: timings.agreeingMs })) {
    return { notFoundSince: refund.notFoundSince ?? clock.now() }
  }
  return sendAgain(services, refund)
}

async function recordFound(services: PaymentServices, refund: Operation, found: FoundTransaction): Promise<Resolution> {
  if (found.state === 'approved') {
    await recordRefunded(services, refund, approvedRefund(found))
    return 'resolved'
  }
  if (found.state === 'declined') {
    const { message } = found
    await recordFailedRefund(services, refund, { reason: 'declined', trigger: 'declined', message })
    return 'resolved'
  }
  services.log.error({ operation: refund.id, state: found.state }, 'a refund is in a state that needs a person')
  return { notFoundSince: null }
}

/** Sends the refund again. Renews the deadline first, so that "not found" is not final while this may still arrive. */
async function sendAgain(services: PaymentServices, refund: Operation): Promise<Resolution> {
  const { db, clock, timings } = services
  const sale = await findOperation(db, refund.businessId, refund.parentId ?? '')
  if (!sale) throw new Error('the sale of a refund is missing')
  const deadlineAt = addSeconds(clock.now(), timings.responseMs / 1000)
  if (!(await renewDeadline(db, refund, deadlineAt))) return { notFoundSince: null }
  const result = await sendRefund(services, { ...refund, deadlineAt }, sale)
  return (await recordDefinite(services, refund, result)) ? 'resolved' : { notFoundSince: null }
}
