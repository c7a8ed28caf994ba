import type { Db } from '../../db/connection.ts'
import { canonicalAddress } from '../../http/client-address.ts'
import type { Environment } from './context.ts'

interface Entry {
  businessId: string
  environment: Environment
  address: string
}

export async function insertAllowedIp(db: Db, { businessId, environment, address }: Entry, at: Date): Promise<void> {
  await db
    .insertInto('allowed_ip')
    .values({ business_id: businessId, environment, address, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @returns whether the address was on the list */
export async function deleteAllowedIp(db: Db, { businessId, environment, address }: Entry): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('allowed_ip')
    .where('business_id', '=', businessId)
    .where('environment', '=', environment)
    .where('address', '=', address)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function selectAllowedIps(db: Db, businessId: string, environment: Environment): Promise<string[]> {
  const rows = await db
    .selectFrom('allowed_ip')
    .select('address')
    .where('business_id', '=', businessId)
    .where('environment', '=', environment)
    .orderBy('address')
    .execute()
  return canonicalAddresses(rows.map(({ address }) => address))
}

/** Lists addresses with their last use, in the order of the addresses. */
export async function selectAllowedIpUse(
  db: Db,
  businessId: string,
  environment: Environment,
): Promise<{ address: string; createdAt: Date; lastSeenAt: Date | null }[]> {
  const rows = await db
    .selectFrom('allowed_ip')
    .select(['address', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('business_id', '=', businessId)
    .where('environment', '=', environment)
    .orderBy('address')
    .execute()
  return rows.map((row) => ({ ...row, address: canonicalAddress(row.address) ?? row.address }))
}

/** @param unlessSince skips the write if any process recorded a use after this time */
export async function writeAllowedIpUse(
  db: Db,
  { businessId, environment, address, at, unlessSince }: Entry & { at: Date; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('allowed_ip')
    .set({ last_seen_at: at })
    .where('business_id', '=', businessId)
    .where('environment', '=', environment)
    .where('address', '=', address)
    .where((where) => where.or([where('last_seen_at', 'is', null), where('last_seen_at', '<=', unlessSince)]))
    .execute()
}

/** Returns canonical spellings, because PostgreSQL may spell an IPv6 address differently. */
export function canonicalAddresses(stored: readonly string[]): string[] {
  return stored.map((address) => canonicalAddress(address) ?? address)
}
