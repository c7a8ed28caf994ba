import type { Actor } from '../../audit/actor.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { auditPerson } from '../people/audit-person.ts'
import type { NotifyPerson } from '../people/person-notice.ts'
import { isOwner, lockPerson, onlyBusinessOf } from '../people/person-queries.ts'
import { endSessionsOf } from '../sessions/live-session-queries.ts'
import { deleteTotp, forgetFactorTries, replaceRecoveryCodes } from './factor-queries.ts'
import { deleteReset, insertReset, takeDueReset } from './factor-reset-queries.ts'
import { deletePasskeysOf } from './passkey-queries.ts'

type Context = { clock: Clock; notifyPerson: NotifyPerson }

/** Delay for owners, in which they can notice the reset, and sign in with a factor that is not lost. */
const OWNER_DELAY_SECONDS = 86_400

/**
 * Removes all factors of a person in this business who lost them, and signs them out: at once, or for an owner at the
 * first sign-in by password after 24 hours. Sends a letter to the person. The caller checks that `actor` may do this,
 * and writes the audit row.
 *
 * @returns when it takes effect; `null` if it already has
 * @throws ApiError `permission_denied` for a person who also belongs to another business: this team may not open their
 * account
 * @see DSH-36, DSH-93
 */
export async function resetFactors(
  { clock, notifyPerson }: Context,
  tx: Tx,
  { userId, businessId, actor }: { userId: string; businessId: string; actor: Actor },
): Promise<{ dueAt: Date | null }> {
  await lockPerson(tx, userId)
  if ((await onlyBusinessOf(tx, userId)) !== businessId) throw belongsElsewhere()
  const now = clock.now()
  const wanted = {
    userId,
    businessId,
    requestedBy: actor.id ?? actor.kind,
    dueAt: addSeconds(now, OWNER_DELAY_SECONDS),
    now,
  }
  const dueAt = (await isOwner(tx, userId)) ? await insertReset(tx, wanted) : null
  if (dueAt === null) await removeFactors(tx, userId)
  await notifyPerson(tx, userId, { kind: 'factors_reset', by: actor.name, dueAt })
  return { dueAt }
}

const belongsElsewhere = () =>
  new ApiError('permission_denied', {
    message: 'This person belongs to another business too: only they or the operator can reset their second factor',
  })

/**
 * Resets the factors of a person at once, on behalf of the operator: even of the last owner, and with an audit entry of
 * its own.
 */
export async function resetFactorsNow(
  { clock, notifyPerson }: Context,
  tx: Tx,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<void> {
  await lockPerson(tx, userId)
  await deleteReset(tx, userId)
  await removeFactors(tx, userId)
  await notifyPerson(tx, userId, { kind: 'factors_reset', by: actor.name, dueAt: null })
  await auditPerson(tx, { userId, actor, action: 'factors.reset' }, clock.now())
}

/**
 * Applies a reset that is due, after the person has shown the password. It is dropped if they have joined another
 * business meanwhile, or left the one that asked.
 */
export async function applyDueReset(tx: Tx, userId: string, now: Date): Promise<void> {
  const businessId = await takeDueReset(tx, userId, now)
  if (businessId === null) return
  await lockPerson(tx, userId)
  if ((await onlyBusinessOf(tx, userId)) === businessId) await removeFactors(tx, userId)
}

/** Withdraws a reset: a person who signs in with a factor has not lost all of them. */
export const withdrawReset = (tx: Tx, userId: string): Promise<void> => deleteReset(tx, userId)

async function removeFactors(tx: Tx, userId: string): Promise<void> {
  await deleteTotp(tx, userId)
  await deletePasskeysOf(tx, userId)
  await replaceRecoveryCodes(tx, userId, [])
  await forgetFactorTries(tx, userId)
  await endSessionsOf(tx, userId)
}
