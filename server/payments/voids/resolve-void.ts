import { addSeconds } from '../../lib/clock.ts'
import { inquire } from '../call-gateway.ts'
import { mayStillArrive, type Operation, type Resolution } from '../operation.ts'
import { findOperation, renewDeadline } from '../operation-queries.ts'
import type { PaymentServices } from '../services.ts'
import { recordFailedVoid, recordVoided } from './record-void.ts'
import { recordDefinite, sendVoid } from './send-void.ts'

/**
 * Runs one round of recovery for an open void. The state of the sale at the gateway shows whether it is voided. If it
 * is not, and the gateway did not decline the void either, the void is sent again under the same reference, which is
 * harmless. A gateway may process a reference twice, so a decline is final only when no earlier request can still
 * arrive.
 *
 * @see REF-11, PAY-25
 */
export async function resolveVoid(services: PaymentServices, operation: Operation): Promise<Resolution> {
  const { db, clock, timings, gateways } = services
  const sale = await findOperation(db, operation.businessId, operation.parentId ?? '')
  if (!sale) throw new Error('the sale of a void is missing')
  const finding = await inquire(services, sale)
  if (finding.found !== true) return { notFoundSince: operation.notFoundSince }
  const { state, batchOpen } = finding.transaction
  if (state === 'voided') return resolvedIf((await recordVoided(services, operation, null)) !== null)
  if (!batchOpen) {
    return resolvedIf(await recordFailedVoid(services, operation, 'declined', 'The batch was settled before the void'))
  }
  const { notFoundFinalAfterMs } = gateways(operation.gateway).capabilities
  const isLast = !mayStillArrive(operation, clock.now(), notFoundFinalAfterMs)
  const own = await inquire(services, operation)
  if (own.found === true && own.transaction.state === 'declined') {
    if (!isLast) return { notFoundSince: null }
    return resolvedIf(await recordFailedVoid(services, operation, 'declined', own.transaction.message))
  }
  const deadlineAt = addSeconds(clock.now(), timings.responseMs / 1000)
  if (!(await renewDeadline(db, operation, deadlineAt))) return { notFoundSince: null }
  const result = await sendVoid(services, { ...operation, deadlineAt }, sale)
  const { end } = await recordDefinite(services, operation, { sale, result, isLast })
  return resolvedIf(end !== 'undecided')
}

const resolvedIf = (isResolved: boolean): Resolution => (isResolved ? 'resolved' : { notFoundSince: null })
