import type { Role } from '../../../contract/permissions.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

/** A person in a business. */
export interface TeamMember {
  userId: string
  email: string
  name: string
  role: Role
  /** Whether they have an authenticator app or a passkey. */
  hasSecondFactor: boolean
  /** Whether they belong to another business, too. If so, this team may not change the account itself (DSH-93). */
  hasOtherBusiness: boolean
  createdAt: Date
  /** When they were last seen in this business; `null` if never. */
  lastSeenAt: Date | null
  /** E-mail address of the inviter; `null` for people whom the operator created. */
  invitedBy: string | null
}

/** Lists all members, oldest first; there are few. */
export async function listMembers(db: Db, businessId: string): Promise<TeamMember[]> {
  const rows = await db
    .selectFrom('business_member as member')
    .innerJoin('auth_user as user', 'user.id', 'member.user_id')
    .leftJoin('auth_user as inviter', 'inviter.id', 'member.invited_by')
    .where('member.business_id', '=', businessId)
    .select(['user.id as userId', 'user.email', 'user.name', 'member.role', 'member.created_at as createdAt'])
    .select('inviter.email as invitedBy')
    .leftJoin('member_visit as visit', (join) =>
      join.onRef('visit.business_id', '=', 'member.business_id').onRef('visit.user_id', '=', 'member.user_id'),
    )
    .select('visit.last_seen_at as lastSeenAt')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('business_member as other')
          .whereRef('other.user_id', '=', 'user.id')
          .whereRef('other.business_id', '<>', 'member.business_id')
          .select('other.user_id'),
      ).as('hasOtherBusiness'),
    )
    .select(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('totp').whereRef('totp.user_id', '=', 'user.id').select('totp.user_id')),
        exists(selectFrom('passkey').whereRef('passkey.user_id', '=', 'user.id').select('passkey.user_id')),
      ]).as('hasSecondFactor'),
    )
    .orderBy('member.created_at')
    .orderBy('user.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    role: row.role as Role,
    hasSecondFactor: Boolean(row.hasSecondFactor),
    hasOtherBusiness: Boolean(row.hasOtherBusiness),
  }))
}

type Membership = { businessId: string; userId: string }

/**
 * Returns the role of a person, and locks it until the end of the transaction: whatever is created meanwhile is theirs
 * if the role changes next.
 *
 * @returns `null` if they do not belong to the business
 */
export async function holdRole(tx: Tx, { businessId, userId }: Membership): Promise<Role | null> {
  const row = await tx
    .selectFrom('business_member')
    .select('role')
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return row ? (row.role as Role) : null
}

export async function setRole(tx: Tx, { businessId, userId }: Membership, role: Role): Promise<void> {
  await tx
    .updateTable('business_member')
    .set({ role })
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteMember(tx: Tx, { businessId, userId }: Membership): Promise<void> {
  await tx.deleteFrom('business_member').where('business_id', '=', businessId).where('user_id', '=', userId).execute()
}

/** @returns whether the person has joined now, and did not belong to the business before */
export async function joinBusiness(
  tx: Tx,
  { businessId, userId, role, invitedBy, at }: Membership & { role: Role; invitedBy: string; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('business_member')
    .values({ business_id: businessId, user_id: userId, role, invited_by: invitedBy, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
