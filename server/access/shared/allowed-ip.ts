import { invalidField } from '../../lib/errors.ts'
import { deleteAllowedIp, insertAllowedIp, selectAllowedIps } from './allowed-ip-queries.ts'
import type { AccessContext } from './context.ts'
import { oneAddress } from './one-address.ts'

type Context = Omit<AccessContext, 'keyring'>

/**
 * Allows calls from an address in this environment. Allowing it twice changes nothing.
 *
 * @param address one IPv4 or IPv6 address, in any spelling
 * @returns the canonical spelling, which callers are compared with
 * @throws ApiError `validation_failed`
 * @see ACC-18
 */
export async function allowIp(
  { db, clock, environment }: Context,
  { businessId, address }: { businessId: string; address: string },
): Promise<string> {
  const canonical = oneAddress('address', address)
  await insertAllowedIp(db, { businessId, environment, address: canonical }, clock.now())
  return canonical
}

/**
 * Removes an address.
 *
 * @returns the canonical spelling
 * @throws ApiError `validation_failed` if the text is not an address, or the address is not on the list
 */
export async function disallowIp(
  { db, environment }: Context,
  { businessId, address }: { businessId: string; address: string },
): Promise<string> {
  const canonical = oneAddress('address', address)
  if (await deleteAllowedIp(db, { businessId, environment, address: canonical })) return canonical
  throw invalidField('address', `${canonical} is not on the list of this business in ${environment}`)
}

export function listAllowedIps({ db, environment }: Context, businessId: string): Promise<string[]> {
  return selectAllowedIps(db, businessId, environment)
}
