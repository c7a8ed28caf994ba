import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

// Queries for TOTP, its tries, and recovery codes.

export async function findTotpSecret(db: Db, userId: string): Promise<Buffer | null> {
  const row = await db.selectFrom('totp').select('secret').where('user_id', '=', userId).executeTakeFirst()
  return row?.secret ?? null
}

/** Stores the secret of an authenticator app in place of an earlier one. */
export async function setTotp(tx: Tx, { userId, secret, at }: { userId: string; secret: Buffer; at: Date }) {
  await tx
    .insertInto('totp')
    .values({ user_id: userId, secret, created_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ secret, created_at: at }))
    .execute()
}

/** @returns whether there was an authenticator app */
export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('totp').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Counts a try before it is checked, so that simultaneous guesses cannot outrun the count.
 *
 * @param forgetBefore a count that began before this starts again
 * @returns tries since then without a success, including this one; it stops at `max + 1`
 */
export async function countFactorTry(
  db: Db,
  { userId, max, now, forgetBefore }: { userId: string; max: number; now: Date; forgetBefore: Date },
): Promise<number> {
  const isNew = sql<boolean>`(totp_use.failures = 0 or totp_use.failed_since <= ${forgetBefore})`
  const { failures } = await db
    .insertInto('totp_use')
    .values({ user_id: userId, failures: 1, failed_since: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        failures: sql`case when ${isNew} then 1 else least(totp_use.failures + 1, ${max + 1}::int) end`,
        failed_since: sql`case when ${isNew} then ${now}::timestamptz else totp_use.failed_since end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

export async function forgetFactorTries(db: Db, userId: string): Promise<void> {
  await db.updateTable('totp_use').set({ failures: 0, failed_since: null }).where('user_id', '=', userId).execute()
}

/**
 * Accepts the code of a time step.
 *
 * @returns whether no code of this step or a later one was accepted before
 */
export async function acceptStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('totp_use')
    .values({ user_id: userId, last_step: step })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ last_step: step }).where('totp_use.last_step', '<', step),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

/**
 * Uses up a recovery code.
 *
 * @returns whether the person had it
 */
export async function takeRecoveryCode(db: Db, userId: string, hashes: Buffer[]): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('hash', 'in', hashes)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** What a person can prove in addition to the password. */
export interface Factors {
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

export async function factorsOf(db: Db, userId: string): Promise<Factors> {
  const rowsOf = (table: 'passkey' | 'recovery_code' | 'totp') =>
    db
      .selectFrom(table)
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
  const row = await db
    .selectNoFrom([
      rowsOf('totp').as('totp'),
      rowsOf('passkey').as('passkeys'),
      rowsOf('recovery_code').as('recoveryCodesLeft'),
    ])
    .executeTakeFirstOrThrow()
  return {
    hasTotp: Number(row.totp) > 0,
    passkeys: Number(row.passkeys),
    recoveryCodesLeft: Number(row.recoveryCodesLeft),
  }
}

/** Whether a person has a second factor. A passkey is one, too, because it was registered with user verification. */
export const hasSecondFactor = ({ hasTotp, passkeys }: Factors): boolean => hasTotp || passkeys > 0

/** Whether a business of the person requires a second factor of everyone. */
export async function isFactorRequired(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('business_member')
    .innerJoin('dashboard_limits', 'dashboard_limits.business_id', 'business_member.business_id')
    .select('business_member.user_id')
    .where('business_member.user_id', '=', userId)
    .where('dashboard_limits.second_factor_required', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
