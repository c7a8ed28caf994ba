import { lockBusiness } from '../businesses/business-queries.ts'
import type { Tx } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import { disallowIp, listAllowedIps } from './shared/allowed-ip.ts'
import type { AccessContext, WithTransaction } from './shared/context.ts'
import { countLiveFamilies } from './tokens/token-queries.ts'

/**
 * Removes an address from the list, but not the last one while clients have tokens: all of them would stop working.
 *
 * @returns the canonical spelling
 * @throws ApiError `validation_failed` for an address that is not on the list; `conflict`
 */
export async function removeAllowedIp(
  context: Omit<WithTransaction<AccessContext, Tx>, 'keyring'>,
  { businessId, address }: { businessId: string; address: string },
): Promise<string> {
  const { db, clock, environment } = context
  // Of two simultaneous removals, the second counts what the first has left.
  await lockBusiness(db, businessId)
  const removed = await disallowIp(context, { businessId, address })
  if ((await listAllowedIps(context, businessId)).length > 0) return removed
  const live = await countLiveFamilies(db, { businessId, environment, now: clock.now() })
  if (live.length === 0) return removed
  throw new ApiError('conflict', {
    message: 'This is the last address, and clients have tokens that would stop working: end the tokens first',
  })
}
