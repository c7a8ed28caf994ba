import type { Actor } from '../../audit/actor.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { auditPerson } from '../people/audit-person.ts'
import { isOwner, lockPerson } from '../people/person-queries.ts'
import { endSessionsOf } from '../sessions/live-session-queries.ts'
import { deleteTotp, forgetFactorTries, replaceRecoveryCodes } from './factor-queries.ts'
import { deleteReset, insertReset, takeDueReset } from './factor-reset-queries.ts'
import { deletePasskeysOf } from './passkey-queries.ts'

/** For owners: time to notice, and to sign in with a factor that is not lost. */
const OWNER_DELAY_SECONDS = 86_400

/**
 * Removes all factors of somebody who lost them, and signs them out: at once, or for an owner of any business at the first
 * sign-in by password after 24 hours. Whether `actor` may is the caller's to know, as is the letter to the person.
 *
 * @returns when it takes effect; `null`: it has
 * @see DSH-36
 */
export async function resetFactors(
  tx: Tx,
  { userId, actor }: { userId: string; actor: Actor },
  now: Date,
): Promise<{ dueAt: Date | null }> {
  await lockPerson(tx, userId)
  if (await isOwner(tx, userId)) {
    const dueAt = addSeconds(now, OWNER_DELAY_SECONDS)
    return { dueAt: await insertReset(tx, { userId, requestedBy: actor.id ?? actor.kind, dueAt, now }) }
  }
  await removeFactors(tx, userId)
  return { dueAt: null }
}

/** By the operator, at once: for the last owner, and with an entry of its own. */
export async function resetFactorsNow(tx: Tx, { userId, actor }: { userId: string; actor: Actor }, now: Date) {
  await lockPerson(tx, userId)
  await deleteReset(tx, userId)
  await removeFactors(tx, userId)
  await auditPerson(tx, { userId, actor, action: 'factors.reset' }, now)
}

/** A reset whose time has come takes effect when the person has shown the password. */
export async function applyDueReset(tx: Tx, userId: string, now: Date): Promise<void> {
  if (await takeDueReset(tx, userId, now)) await removeFactors(tx, userId)
}

/** Who signs in with a factor has not lost all. */
export const withdrawReset = (tx: Tx, userId: string): Promise<void> => deleteReset(tx, userId)

async function removeFactors(tx: Tx, userId: string): Promise<void> {
  await deleteTotp(tx, userId)
  await deletePasskeysOf(tx, userId)
  await replaceRecoveryCodes(tx, userId, [])
  await forgetFactorTries(tx, userId)
  await endSessionsOf(tx, userId)
}
