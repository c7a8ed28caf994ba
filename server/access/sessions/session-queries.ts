import { sql } from 'kysely'
import type { Role } from '../../../contract/permissions.ts'
import type { Business } from '../../businesses/business.ts'
import { BUSINESS_COLUMNS, businessFrom } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { IDLE_SECONDS, SESSION_SECONDS, type Session } from './session.ts'

const SESSION_COLUMNS = [
  'auth_session.id as session_id',
  'auth_session.user_id',
  'auth_session.proof',
  'auth_session.created_at as session_created_at',
  'auth_session.expires_at',
  'auth_session.last_seen_at',
  'auth_session.stepped_up_at',
  'auth_user.email',
  'auth_user.name as user_name',
] as const

interface SessionRow {
  session_id: string
  user_id: string
  proof: string
  session_created_at: Date
  expires_at: Date
  last_seen_at: Date | null
  stepped_up_at: Date | null
  email: string
  user_name: string
}

function sessionFrom(row: SessionRow): Session {
  return {
    id: row.session_id,
    userId: row.user_id,
    email: row.email,
    name: row.user_name,
    proof: row.proof as Session['proof'],
    createdAt: row.session_created_at,
    expiresAt: row.expires_at,
    lastSeenAt: row.last_seen_at ?? row.session_created_at,
    steppedUpAt: row.stepped_up_at,
  }
}

/** Selects a session that has not ended: neither by its absolute time, nor by being idle for too long. */
const live = (db: Db, token: string, now: Date) =>
  db
    .selectFrom('auth_session')
    .innerJoin('auth_user', 'auth_user.id', 'auth_session.user_id')
    .where('auth_session.token', '=', token)
    .where('auth_session.expires_at', '>', now)
    .where('auth_session.created_at', '>', addSeconds(now, -SESSION_SECONDS))
    .where(sql<Date>`coalesce(auth_session.last_seen_at, auth_session.created_at)`, '>', addSeconds(now, -IDLE_SECONDS))

export async function findSession(db: Db, token: string, now: Date): Promise<Session | null> {
  const row = await live(db, token, now).select(SESSION_COLUMNS).executeTakeFirst()
  return row ? sessionFrom(row) : null
}

/**
 * Finds a session, with the business and the person's current role in it, in one read. `business` is `null` if they do
 * not belong to it.
 */
export async function findSessionIn(
  db: Db,
  { token, businessId }: { token: string; businessId: string },
  now: Date,
): Promise<{
  session: Session
  member: { business: Business; role: Role; mustHaveSecondFactor: boolean; lastSeenAt: Date | null } | null
} | null> {
  const row = await live(db, token, now)
    .leftJoin('business_member', (join) =>
      join
        .onRef('business_member.user_id', '=', 'auth_session.user_id')
        .on('business_member.business_id', '=', businessId),
    )
    .leftJoin('business', 'business.id', 'business_member.business_id')
    .leftJoin('dashboard_limits', 'dashboard_limits.business_id', 'business.id')
    .leftJoin('member_visit', (join) =>
      join
        .onRef('member_visit.business_id', '=', 'business_member.business_id')
        .onRef('member_visit.user_id', '=', 'business_member.user_id'),
    )
    .select(SESSION_COLUMNS)
    .select(['business_member.role', 'dashboard_limits.second_factor_required', 'dashboard_limits.session_minutes'])
    .select('member_visit.last_seen_at as seen_here_at')
    .select(BUSINESS_COLUMNS)
    .executeTakeFirst()
  if (!row || isOver(row, now)) return null
  const { role, second_factor_required: required, id } = row
  if (role === null || id === null) return { session: sessionFrom(row), member: null }
  // A member's row has every column of the business.
  const business = businessFrom(row as Parameters<typeof businessFrom>[0])
  return {
    session: sessionFrom(row),
    member: { business, role: role as Role, mustHaveSecondFactor: required ?? false, lastSeenAt: row.seen_here_at },
  }
}

/** Whether the business's own limit has passed; it may be shorter than the service's. */
function isOver(row: { session_created_at: Date; session_minutes: number | null }, now: Date): boolean {
  const { session_minutes: minutes } = row
  return minutes !== null && addSeconds(row.session_created_at, minutes * 60) <= now
}

export async function touchSession(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('auth_session').set({ last_seen_at: at }).where('id', '=', id).execute()
}

/** Records a visit; writes nothing if the person was removed meanwhile. */
export async function recordVisit(
  db: Db,
  { businessId, userId, at }: { businessId: string; userId: string; at: Date },
): Promise<void> {
  await db
    .insertInto('member_visit')
    .columns(['business_id', 'user_id', 'last_seen_at'])
    .expression(
      db
        .selectFrom('business_member')
        .select(['business_id', 'user_id', sql<Date>`${at}::timestamptz`.as('last_seen_at')])
        .where('business_id', '=', businessId)
        .where('user_id', '=', userId)
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.columns(['business_id', 'user_id']).doUpdateSet({ last_seen_at: at }))
    .execute()
}
