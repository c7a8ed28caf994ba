import type { Role } from '../../../contract/permissions.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

// Queries on better-auth's tables. They write what better-auth itself writes.

const PASSWORD_PROVIDER = 'credential'

/** @returns whether the e-mail was free */
export async function insertUser(
  tx: Tx,
  { id, email, name, at }: { id: string; email: string; name: string; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('auth_user')
    .values({ id, email, name, email_verified: false, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function insertPassword(
  tx: Tx,
  { id, userId, passwordHash, at }: { id: string; userId: string; passwordHash: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('auth_account')
    .values({
      id,
      user_id: userId,
      account_id: userId,
      provider_id: PASSWORD_PROVIDER,
      password: passwordHash,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

export async function findUserId(db: Db, email: string): Promise<string | null> {
  const row = await db.selectFrom('auth_user').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id ?? null
}

/**
 * Finds the person who may sign in to a business with this e-mail, their role, and the hash to check the password with.
 */
export async function findPassword(
  db: Db,
  { businessId, email }: { businessId: string; email: string },
): Promise<{ userId: string; passwordHash: string; role: Role; hasSecondFactor: boolean } | null> {
  const row = await db
    .selectFrom('auth_user')
    .innerJoin('auth_account', 'auth_account.user_id', 'auth_user.id')
    .innerJoin('business_member', 'business_member.user_id', 'auth_user.id')
    .select(['auth_user.id', 'auth_account.password', 'business_member.role'])
    .select(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('totp').whereRef('totp.user_id', '=', 'auth_user.id').select('totp.user_id')),
        exists(selectFrom('passkey').whereRef('passkey.user_id', '=', 'auth_user.id').select('passkey.user_id')),
      ]).as('hasSecondFactor'),
    )
    .where('auth_user.email', '=', email)
    .where('auth_account.provider_id', '=', PASSWORD_PROVIDER)
    .where('business_member.business_id', '=', businessId)
    .executeTakeFirst()
  if (!row?.password) return null
  const { id: userId, password: passwordHash, role, hasSecondFactor } = row
  return { userId, passwordHash, role: role as Role, hasSecondFactor: Boolean(hasSecondFactor) }
}

export async function insertMember(
  tx: Tx,
  { businessId, userId, at }: { businessId: string; userId: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('business_member')
    .values({ business_id: businessId, user_id: userId, role: 'owner', created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
