import { sql } from 'kysely'
import type { Environment } from '../access/shared/context.ts'
import type { Tx } from '../db/transaction.ts'

const LOCK = 7_237_222

/**
 * Makes processes that start at once create one demo business and one file. The lock is held until the end of the
 * transaction.
 */
export async function lockDemo(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK}::int)`.execute(tx)
}

export interface Demo {
  businessId: string
  clientId: string
  userId: string
}

/** @returns `null` if there never was a demo, or if its client was revoked, which ends the demo */
export async function findDemo(
  tx: Tx,
  { email, redirectUrl, environment }: { email: string; redirectUrl: string; environment: Environment },
): Promise<Demo | null> {
  const row = await tx
    .selectFrom('auth_user')
    .innerJoin('business_member as member', 'member.user_id', 'auth_user.id')
    .innerJoin('oauth_client as client', 'client.business_id', 'member.business_id')
    .select(['member.business_id as businessId', 'client.id as clientId', 'auth_user.id as userId'])
    .where('auth_user.email', '=', email)
    .where('client.redirect_url', '=', redirectUrl)
    .where('client.environment', '=', environment)
    .where('client.revoked_at', 'is', null)
    .orderBy('client.id')
    .executeTakeFirst()
  return row ?? null
}
