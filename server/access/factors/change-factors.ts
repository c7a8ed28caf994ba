import type { Actor } from '../../audit/actor.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { auditPerson, type PersonAudit } from '../people/audit-person.ts'
import type { AccountChange, NotifyPerson } from '../people/person-notice.ts'
import { lockPerson } from '../people/person-queries.ts'
import { endSessionsOf } from '../sessions/live-session-queries.ts'
import type { NewSession, Session } from '../sessions/session.ts'
import { renewSession } from '../sessions/start-session.ts'
import type { Environment } from '../shared/context.ts'
import type { FactorContext } from './check-second-factor.ts'
import { factorsOf, hasSecondFactor, isFactorRequired, replaceRecoveryCodes } from './factor-queries.ts'
import { newRecoveryCodes } from './recovery-codes.ts'

export interface ChangeContext extends FactorContext {
  environment: Environment
  notifyPerson: NotifyPerson
}

/** The person whose factors change, and their session. */
export interface Changer {
  session: Session
  actor: Actor
}

export interface FactorChange {
  session: NewSession
  /** Ten new codes to show once; `null` if the codes stay the same. */
  recoveryCodes: string[] | null
}

/**
 * Changes the factors of a person. The first factor creates recovery codes; removing the last one deletes them. The
 * session gets a new id. Sessions from before the first factor end.
 *
 * @throws ApiError `conflict` if the last factor would be removed where one is required; what `work` throws
 * @see DSH-9, DSH-10
 */
export function changeFactors(
  context: ChangeContext,
  { session, actor }: Changer,
  work: (
    tx: Tx,
  ) => Promise<
    Pick<PersonAudit, 'action' | 'object' | 'before' | 'after'> & { change: AccountChange; newCodes?: true }
  >,
): Promise<FactorChange> {
  const { db, keyring, clock, environment, notifyPerson } = context
  const { userId } = session
  return transaction(db, async (tx) => {
    await lockPerson(tx, userId)
    const before = await factorsOf(tx, userId)
    const { newCodes, change, ...audited } = await work(tx)
    const has = hasSecondFactor(await factorsOf(tx, userId))
    if (!has && hasSecondFactor(before)) await requireOptional(tx, { environment, userId })
    const isFirst = has && !hasSecondFactor(before)
    const made = (isFirst || newCodes) && has ? newRecoveryCodes(keyring) : null
    if (made || !has) await replaceRecoveryCodes(tx, userId, made?.hashes ?? [])
    const proof = proofAfter(session.proof, has)
    const renewed = await renewSession(tx, { id: session.id, proof }, clock.now())
    if (isFirst) await endSessionsOf(tx, userId, { but: renewed.id })
    await notifyPerson(tx, userId, { kind: 'account_changed', change })
    await auditPerson(tx, { ...audited, userId, actor }, clock.now())
    return { session: renewed, recoveryCodes: made?.codes ?? null }
  })
}

/** Returns the proof of the session after the change. A person who has just shown a new factor has shown two. */
function proofAfter(proof: Session['proof'], has: boolean): Session['proof'] {
  if (!has) return 'password'
  return proof === 'password' ? 'second_factor' : proof
}

async function requireOptional(tx: Tx, { environment, userId }: { environment: Environment; userId: string }) {
  if (environment !== 'production' && !(await isFactorRequired(tx, userId))) return
  throw new ApiError('conflict', {
    message: 'A second factor is required. Add another one before you remove this one.',
  })
}
