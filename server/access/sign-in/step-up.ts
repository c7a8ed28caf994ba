import { transaction } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Changer } from '../factors/change-factors.ts'
import { checkSecondFactor } from '../factors/check-second-factor.ts'
import { type Factors, factorsOf } from '../factors/factor-queries.ts'
import { type Credential, verifyAuthentication } from '../factors/passkeys.ts'
import { tellOfCopy } from '../factors/refuse-copy.ts'
import { auditPerson } from '../people/audit-person.ts'
import { passwordMatches } from '../people/password.ts'
import { findPasswordOf } from '../people/person-queries.ts'
import { admitTry } from '../people/sign-in-lock.ts'
import { markSteppedUp } from '../sessions/live-session-queries.ts'
import { STEP_UP_SECONDS } from '../sessions/session.ts'
import type { SignInContext } from './sign-in.ts'

export interface StepUpProof {
  method: 'password' | 'passkey'
  password?: string | undefined
  /** Code of the authenticator app; recovery codes cannot step up. */
  code?: string | undefined
  credential?: Credential | undefined
}

/** Returns the methods, best first. A password alone is enough only for a person without a second factor. */
export function stepUpMethods({ hasTotp, passkeys }: Factors): ('passkey' | 'password')[] {
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(hasTotp || passkeys === 0 ? (['password'] as const) : []),
  ]
}

/**
 * Marks the session for five minutes: its person has proved again who they are.
 *
 * @returns the end of the five minutes
 * @throws ApiError `validation_failed`, with one text for a wrong password and a wrong code
 * @see DSH-12, DSH-35
 */
export async function stepUp(context: SignInContext, changer: Changer, proof: StepUpProof): Promise<Date> {
  const { db, clock } = context
  const { session, actor } = changer
  const { method } = proof
  const reason =
    method === 'passkey' ? await checkPasskey(context, changer, proof) : await checkPassword(context, changer, proof)
  const now = clock.now()
  await transaction(db, async (tx) => {
    await markSteppedUp(tx, session.id, now)
    const after = { method, ...(reason !== null && { reason }) }
    const object = { type: 'session', id: session.id }
    await auditPerson(tx, { userId: session.userId, actor, action: 'session.step_up', object, after }, now)
  })
  return addSeconds(now, STEP_UP_SECONDS)
}

async function checkPasskey(context: SignInContext, { session, actor }: Changer, { credential }: StepUpProof) {
  const of = { sessionId: session.id, userId: session.userId }
  const proved = credential ? await verifyAuthentication(context, { credential, of }) : null
  if (proved?.isCopy) await tellOfCopy(context, proved, async () => actor)
  if (!proved || proved.isCopy) throw invalidField('credential', 'This passkey was not accepted. Try again.')
  return proved.reason
}

async function checkPassword(context: SignInContext, { session }: Changer, { password = '', code = '' }: StepUpProof) {
  const { userId } = session
  const factors = await factorsOf(context.db, userId)
  if (!stepUpMethods(factors).includes('password')) throw invalidField('method', 'Use a passkey')
  const succeed = await admitTry(context, `step-up ${userId}`)
  const isRight = await passwordMatches(password, succeed && (await findPasswordOf(context.db, userId)))
  const isProved = isRight && (!factors.hasTotp || (await checkSecondFactor(context, { userId, method: 'totp', code })))
  if (!succeed || !isProved) {
    const text = 'That did not work: the password or the code is wrong, or there were too many tries'
    throw invalidField('password', text)
  }
  await succeed()
  return null
}
