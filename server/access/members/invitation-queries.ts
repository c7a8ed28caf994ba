import type { Role } from '../../../contract/permissions.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Invitation } from './invitation.ts'

const COLUMNS = [
  'invitation.id',
  'invitation.business_id as businessId',
  'invitation.email',
  'invitation.role',
  'invitation.invited_by as invitedBy',
  'invitation.created_at as createdAt',
  'invitation.expires_at as expiresAt',
] as const

const typed = <Row extends { role: string }>(row: Row) => ({ ...row, role: row.role as Role })

/** Invitations that are neither accepted nor ended, including expired ones. */
const unused = (db: Db) => db.selectFrom('invitation').where('accepted_at', 'is', null).where('ended_at', 'is', null)

export async function insertInvitation(tx: Tx, invitation: Invitation, tokenHash: Buffer): Promise<void> {
  const { id, businessId, email, role, invitedBy, createdAt, expiresAt } = invitation
  await tx
    .insertInto('invitation')
    .values({
      id,
      business_id: businessId,
      email,
      role,
      token_hash: tokenHash,
      invited_by: invitedBy,
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute()
}

/** Lists invitations, newest first, with the inviter's name. */
export async function listInvitations(db: Db, businessId: string): Promise<(Invitation & { inviter: string })[]> {
  const rows = await unused(db)
    .innerJoin('auth_user', 'auth_user.id', 'invitation.invited_by')
    .select(COLUMNS)
    .select('auth_user.email as inviter')
    .where('business_id', '=', businessId)
    .orderBy('invitation.created_at', 'desc')
    .limit(100)
    .execute()
  return rows.map(typed)
}

/** Finds an invitation and locks its row, so that the second of two who accept finds it used. */
export async function lockInvitation(
  tx: Tx,
  { hashes, now }: { hashes: Buffer[]; now: Date },
): Promise<Invitation | null> {
  const row = await unused(tx)
    .select(COLUMNS)
    .where('token_hash', 'in', hashes)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return row ? typed(row) : null
}

/** An invitation as the page of its link shows it. */
export interface InvitationOfLink extends Invitation {
  business: string
  inviter: { name: string; email: string }
  /** Whether the invited address already has an account. */
  isKnown: boolean
}

export async function findInvitation(
  db: Db,
  { hashes, now }: { hashes: Buffer[]; now: Date },
): Promise<InvitationOfLink | null> {
  const row = await unused(db)
    .innerJoin('business', 'business.id', 'invitation.business_id')
    .innerJoin('auth_user as inviter', 'inviter.id', 'invitation.invited_by')
    .leftJoin('auth_user as known', 'known.email', 'invitation.email')
    .select(COLUMNS)
    .select(['business.name as business', 'inviter.name as inviterName', 'inviter.email as inviterEmail'])
    .select('known.id as knownId')
    .where('token_hash', 'in', hashes)
    .where('invitation.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  const { inviterName: name, inviterEmail: email, knownId, ...invitation } = row
  return { ...typed(invitation), inviter: { name, email }, isKnown: knownId !== null }
}

/**
 * Ends an invitation.
 *
 * @returns its e-mail and role; `null` if the business has no such unused one
 */
export async function endInvitation(
  tx: Tx,
  { businessId, id, at }: { businessId: string; id: string; at: Date },
): Promise<Pick<Invitation, 'email' | 'role'> | null> {
  const row = await tx
    .updateTable('invitation')
    .set({ ended_at: at })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('ended_at', 'is', null)
    .returning(['email', 'role'])
    .executeTakeFirst()
  return row ? typed(row) : null
}

/** Ends the unused invitations of an address, which a new one replaces. */
export async function endInvitationsOf(
  tx: Tx,
  { businessId, email, at }: { businessId: string; email: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ ended_at: at })
    .where('business_id', '=', businessId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}

export async function markAccepted(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('invitation').set({ accepted_at: at }).where('id', '=', id).execute()
}
