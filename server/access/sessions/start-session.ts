import { randomBytes } from 'node:crypto'
import type { Tx } from '../../db/transaction.ts'
import { newId } from '../../lib/ids.ts'
import { insertSession, replaceSession } from './live-session-queries.ts'
import { type Browser, type NewSession, type Session, signedOut } from './session.ts'

/** Creates a session's id, and its token of 192 random bits. */
const newSession = (): NewSession => ({ id: newId(), token: randomBytes(24).toString('base64url') })

/** Signs a person in. Nothing of an earlier session in that browser continues (DSH-10). */
export async function startSession(
  tx: Tx,
  who: { userId: string; proof: Session['proof']; browser: Browser },
  now: Date,
): Promise<NewSession> {
  const session = newSession()
  await insertSession(tx, { ...session, ...who }, now)
  return session
}

/**
 * Renews the session after a change of a factor: another id and another token, with the same end (DSH-10).
 *
 * @throws ApiError `signed_out` if another call has just ended or replaced the session
 */
export async function renewSession(
  tx: Tx,
  { id, proof }: Pick<Session, 'id' | 'proof'>,
  now: Date,
): Promise<NewSession> {
  const session = newSession()
  if (!(await replaceSession(tx, { id, proof }, session, now))) throw signedOut()
  return session
}
