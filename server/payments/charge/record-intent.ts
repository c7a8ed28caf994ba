import { isDatabaseAway } from '../../http/error-response.ts'
import type { Operation } from '../operation.ts'
import { finalize } from '../operation-queries.ts'
import { fenceOf } from '../recovery/reverse-sale.ts'
import { failedSaleEvent } from '../stored-card-sale/failed-sale.ts'
import type { SaleServices } from './send-sale.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * Step 1 of a sale: what is going to be asked of the gateway, written down before the first byte is sent.
 *
 * @param begin the statement that locks what is paid and inserts the operation
 * @returns what it returns; `null` also when another open sale stands in the way
 */
export async function writeDownSale<Begun>(
  services: SaleServices,
  operation: Operation,
  begin: () => Promise<Begun | null>,
): Promise<Begun | null> {
  // A terminal whose gateway is not configured throws here, and not with an intent committed.
  services.gateways(operation.gateway)
  services.faults.reach('before:intent_commit')
  const begun = await begin().catch(async (error: unknown) => {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return null
    if (isDatabaseAway(error)) await withdrawIntent(services, operation)
    throw error
  })
  if (begun !== null) services.faults.reach('after:intent_commit')
  return begun
}

/**
 * The database went away, so the intent may be written down or not (reliability.md R10). Nothing will be sent: where it can be
 * said now the payer may try again at once, and where not recovery finds it.
 */
async function withdrawIntent(services: SaleServices, operation: Operation): Promise<void> {
  const outcome = { trigger: 'not sent' as const, message: 'The database was away' }
  try {
    const event = await failedSaleEvent(services, operation, outcome)
    await finalize(services.db, { ...fenceOf(operation), ...outcome, now: services.clock.now() }, event)
  } catch (error) {
    services.log.warn({ err: error, operation: operation.id }, 'an intent is left to recovery')
  }
}
