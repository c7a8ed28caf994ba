import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Browser, IDLE_SECONDS, type NewSession, SESSION_SECONDS, type Session } from './session.ts'

// Queries that start, change and end sessions. `session-queries.ts` reads the session of a call.

interface SessionValues extends NewSession {
  userId: string
  proof: Session['proof']
  browser: Browser
}

/**
 * Stores a session. Of the limits of the person's businesses the longest applies, up to 12 hours; calls to another
 * business check that one's own limit (DSH-10, DSH-93).
 */
export async function insertSession(
  tx: Tx,
  { id, token, userId, proof, browser }: SessionValues,
  now: Date,
): Promise<void> {
  const { seconds } = await tx
    .selectFrom('business_member')
    .leftJoin('dashboard_limits', 'dashboard_limits.business_id', 'business_member.business_id')
    .where('business_member.user_id', '=', userId)
    .select(
      sql<number | null>`max(coalesce(dashboard_limits.session_minutes * 60, ${SESSION_SECONDS}::int))`.as('seconds'),
    )
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('auth_session')
    .values({
      id,
      token,
      user_id: userId,
      proof,
      ip_address: browser.ip,
      user_agent: browser.userAgent,
      expires_at: addSeconds(now, Math.min(Number(seconds ?? SESSION_SECONDS), SESSION_SECONDS)),
      last_seen_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/**
 * Replaces a session by one with another id and token, for the same browser and with the same end. Challenges of the
 * old session end with it.
 *
 * @returns whether the old session still existed
 */
export async function replaceSession(
  tx: Tx,
  old: { id: string; proof: Session['proof'] },
  { id, token }: NewSession,
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .with('old', (cte) => cte.deleteFrom('auth_session').where('id', '=', old.id).returningAll())
    .insertInto('auth_session')
    .columns([
      'id',
      'token',
      'user_id',
      'proof',
      'ip_address',
      'user_agent',
      'expires_at',
      'last_seen_at',
      'stepped_up_at',
      'created_at',
      'updated_at',
    ])
    .expression((from) =>
      from
        .selectFrom('old')
        .select([
          sql<string>`${id}::text`.as('id'),
          sql<string>`${token}::text`.as('token'),
          'user_id',
          sql<string>`${old.proof}::text`.as('proof'),
          'ip_address',
          'user_agent',
          'expires_at',
          sql<Date>`${now}::timestamptz`.as('last_seen_at'),
          'stepped_up_at',
          'created_at',
          sql<Date>`${now}::timestamptz`.as('updated_at'),
        ]),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function markSteppedUp(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('auth_session').set({ stepped_up_at: at }).where('id', '=', id).execute()
}

/** Ends the session of a cookie's token. */
export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('auth_session').where('token', '=', token).execute()
}

/** @returns whether the person had that session */
export async function endSessionOf(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_session')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Ends all sessions of a person: after removal from their only business, a new password, or a reset of factors.
 *
 * @param but id of a session that stays
 */
export async function endSessionsOf(
  db: Db,
  userId: string,
  { but = null }: { but?: string | null } = {},
): Promise<void> {
  await db
    .deleteFrom('auth_session')
    .where('user_id', '=', userId)
    .$if(but !== null, (query) => query.where('id', '<>', but ?? ''))
    .execute()
}

export interface ListedSession {
  id: string
  ip: string | null
  userAgent: string | null
  proof: Session['proof']
  createdAt: Date
  lastSeenAt: Date
}

/** Lists the live sessions of a person, newest first. */
export async function listSessionsOf(db: Db, userId: string, now: Date): Promise<ListedSession[]> {
  const lastSeen = sql<Date>`coalesce(last_seen_at, created_at)`
  const rows = await db
    .selectFrom('auth_session')
    .select(['id', 'ip_address as ip', 'user_agent as userAgent', 'proof', 'created_at as createdAt'])
    .select(lastSeen.as('lastSeenAt'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where(lastSeen, '>', addSeconds(now, -IDLE_SECONDS))
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({ ...row, proof: row.proof as Session['proof'] }))
}

/** Deletes sessions that have ended. */
export async function deleteEndedSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('auth_session')
    .where((or) =>
      or.or([
        or('expires_at', '<=', now),
        or(sql<Date>`coalesce(last_seen_at, created_at)`, '<=', addSeconds(now, -IDLE_SECONDS)),
      ]),
    )
    .execute()
}
