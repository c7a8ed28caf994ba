import type { Db } from '../../db/connection.ts'

export type CodePurpose =
  | 'set_up'
  | 'sign_in_link'
  | 'password_reset'
  | 'second_factor'
  | 'totp_register'
  | 'passkey_sign_in'
  | 'passkey_register'
  | 'passkey_step_up'

/** What a code stands for: a link, a challenge, or a sign-in that waits for its second factor. */
export interface CodeSubject {
  purpose: CodePurpose
  userId: string | null
  /** The only session that may use it. */
  sessionId?: string | null
  data?: Record<string, unknown> | null
}

export interface FoundCode {
  userId: string | null
  data: Record<string, unknown> | null
}

export async function insertCode(
  db: Db,
  {
    purpose,
    userId,
    sessionId = null,
    data = null,
    hash,
    now,
    expiresAt,
  }: CodeSubject & { hash: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('one_time_code')
    .values({
      hash,
      purpose,
      user_id: userId,
      session_id: sessionId,
      data: data === null ? null : JSON.stringify(data),
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
}

interface Wanted {
  purpose: CodePurpose
  /** Hashes of the code under all master keys. */
  hashes: Buffer[]
  sessionId: string | null
  now: Date
}

/** Uses up a code by deleting its row: of concurrent calls, one succeeds. */
export async function takeCode(db: Db, { purpose, hashes, sessionId, now }: Wanted): Promise<FoundCode | null> {
  const row = await db
    .deleteFrom('one_time_code')
    .where('hash', 'in', hashes)
    .where('purpose', '=', purpose)
    .where('session_id', 'is not distinct from', sessionId)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'data'])
    .executeTakeFirst()
  return row ? { ...row, data: row.data as FoundCode['data'] } : null
}

export async function findCode(db: Db, { purpose, hashes, sessionId, now }: Wanted): Promise<FoundCode | null> {
  const row = await db
    .selectFrom('one_time_code')
    .select(['user_id as userId', 'data'])
    .where('hash', 'in', hashes)
    .where('purpose', '=', purpose)
    .where('session_id', 'is not distinct from', sessionId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? { ...row, data: row.data as FoundCode['data'] } : null
}

export async function deleteCodesOf(
  db: Db,
  { userId, purpose }: { userId: string; purpose: CodePurpose },
): Promise<void> {
  await db.deleteFrom('one_time_code').where('user_id', '=', userId).where('purpose', '=', purpose).execute()
}

export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('one_time_code').where('expires_at', '<=', now).execute()
}
