import { isDatabaseAway, isUniqueViolation } from '../../db/database-errors.ts'
import type { NewSale } from '../new-operation.ts'
import { recordUnpaid } from '../recovery/record-unpaid.ts'
import type { ChargeServices } from '../services.ts'
import { afterIntent, beforeIntent } from './around-intent.ts'
import type { ChargePlan } from './charge-plan.ts'
import type { Charged } from './charged.ts'
import { recordResult } from './record-result.ts'
import { sendSale } from './send-sale.ts'

/**
 * Charges a card. No transaction is open during the call to the gateway, and no result is lost: the intent is committed
 * before the first byte is sent, the result is recorded before the caller receives it, and recovery resolves operations
 * that a crash left open.
 *
 * @throws ApiError any that `begin` throws; `internal_error` for another error before the intent; a refusal of a plan
 *   that has reversed the approval itself
 * @see PAY-1 to PAY-11, PAY-18
 */
export async function charge<Begun, Response>(
  services: ChargeServices,
  plan: ChargePlan<Begun, Response>,
): Promise<Charged<Response>> {
  const begun = await beforeIntent(services, () => recordIntent(services, plan))
  if (begun === null) return { outcome: 'blocked' }
  return afterIntent(services, plan.operation, async () => {
    const result = await sendSale(services, plan)
    return recordResult(services, plan, result, begun)
  })
}

/**
 * Step 1: commits the intent before anything is sent.
 *
 * @returns `null` when the owner may not be charged now, or already has an open or approved sale
 */
export async function recordIntent<Begun>(
  services: ChargeServices,
  { operation, begin }: Pick<ChargePlan<Begun, unknown>, 'operation' | 'begin'>,
): Promise<Begun | null> {
  // Throws for a terminal whose gateway is not configured, before the intent is committed.
  services.gateways(operation.gateway)
  services.faults.reach('before:intent_commit')
  const begun = await begin().catch(async (error: unknown) => {
    if (isUniqueViolation(error)) return null
    if (isDatabaseAway(error)) await withdrawIntent(services, operation)
    throw error
  })
  if (begun !== null) services.faults.reach('after:intent_commit')
  return begun
}

/**
 * Records that nothing was sent. The connection to the database was lost, so the intent may or may not be committed. If
 * this succeeds, the caller may retry at once; otherwise recovery finds the operation.
 */
async function withdrawIntent(services: ChargeServices, operation: NewSale): Promise<void> {
  try {
    await recordUnpaid(services, operation, { trigger: 'not sent', message: 'The database was unavailable' })
  } catch (error) {
    services.log.warn({ err: error, operation: operation.id }, 'intent not finalized; left to recovery')
  }
}
