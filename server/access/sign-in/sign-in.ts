import type { Actor } from '../../audit/actor.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { checkSecondFactor } from '../factors/check-second-factor.ts'
import { factorsOf, hasSecondFactor } from '../factors/factor-queries.ts'
import { createCode, lookAtCode, useCode } from '../factors/one-time-code.ts'
import { type Credential, type PasskeyContext, verifyAuthentication } from '../factors/passkeys.ts'
import { tellOfCopy } from '../factors/refuse-copy.ts'
import { applyDueReset, withdrawReset } from '../factors/reset-factors.ts'
import { auditPerson } from '../people/audit-person.ts'
import { passwordMatches } from '../people/password.ts'
import type { NotifyPerson } from '../people/person-notice.ts'
import { findPasswordOf, findPerson, findPersonByEmail } from '../people/person-queries.ts'
import { admitTry } from '../people/sign-in-lock.ts'
import { endSession } from '../sessions/live-session-queries.ts'
import { tracesOf } from '../sessions/member-trace.ts'
import { recordTraces } from '../sessions/member-trace-queries.ts'
import type { Browser, NewSession, Session } from '../sessions/session.ts'
import { startSession } from '../sessions/start-session.ts'
import type { Environment } from '../shared/context.ts'

export interface SignInContext extends PasskeyContext {
  environment: Environment
  notifyPerson: NotifyPerson
}

/** The browser that signs in. */
export interface From {
  browser: Browser
  requestId: string
  /** Token of the browser's previous session, which ends; `null` if it had none. */
  oldToken: string | null
}

export type SignInResult =
  | { next: 'done'; session: NewSession }
  | { next: 'second_factor'; ticket: string; methods: ('totp' | 'passkey' | 'recovery_code')[] }

/** Refuses with one text for an unknown name, a wrong password, a wrong code and a lock. */
const signInFailed = () =>
  new ApiError('sign_in_failed', {
    message: 'That did not work: something is wrong with what you entered, or there were too many tries',
  })

/**
 * Signs in by e-mail and password. A person with a second factor is asked for it next.
 *
 * @throws ApiError `sign_in_failed`, after the same amount of work for every reason
 * @see DSH-9
 */
export async function signInByPassword(
  context: SignInContext,
  { email, password }: { email: string; password: string },
  from: From,
): Promise<SignInResult> {
  const succeed = await admitTry(context, `dashboard ${email.trim().toLowerCase()}`)
  const person = await findPersonByEmail(context.db, email)
  const hash = await findPasswordOf(context.db, person?.id ?? '')
  const matches = await passwordMatches(password, succeed && hash)
  if (!person || !matches || !succeed) throw signInFailed()
  await succeed()
  return continueSignIn(context, person.id, from)
}

/** Continues after the password, or after a link that replaces it. */
export function continueSignIn(context: SignInContext, userId: string, from: From): Promise<SignInResult> {
  const { db, keyring, clock } = context
  return transaction(db, async (tx) => {
    await applyDueReset(tx, userId, clock.now())
    const factors = await factorsOf(tx, userId)
    if (!hasSecondFactor(factors)) return finishSignIn(context, tx, { userId, proof: 'password', from })
    const ticket = await createCode({ db: tx, keyring }, { purpose: 'second_factor', userId }, clock.now())
    const { hasTotp, passkeys, recoveryCodesLeft } = factors
    const methods = [
      ...(hasTotp ? (['totp'] as const) : []),
      ...(passkeys > 0 ? (['passkey'] as const) : []),
      ...(recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
    ]
    return { next: 'second_factor', ticket, methods }
  })
}

/** @throws ApiError `sign_in_failed`; the ticket stays valid until it is too old */
export async function signInBySecondFactor(
  context: SignInContext,
  { ticket, method, code }: { ticket: string; method: 'totp' | 'recovery_code'; code: string },
  from: From,
): Promise<SignInResult> {
  const { db, keyring, clock } = context
  const given = { purpose: 'second_factor', code: ticket } as const
  const userId = (await lookAtCode(context, given, clock.now()))?.userId
  if (!userId || !(await checkSecondFactor(context, { userId, method, code }))) throw signInFailed()
  return transaction(db, async (tx) => {
    if (!(await useCode({ db: tx, keyring }, given, clock.now()))) throw signInFailed()
    return finishSignIn(context, tx, { userId, proof: 'second_factor', from })
  })
}

/** @throws ApiError `sign_in_failed` */
export async function signInByPasskey(
  context: SignInContext,
  credential: Credential,
  from: From,
): Promise<SignInResult> {
  const proved = await verifyAuthentication(context, { credential, of: null })
  if (proved?.isCopy) await tellOfCopy(context, proved, (tx) => personActor(tx, proved.userId, from))
  if (!proved || proved.isCopy) throw signInFailed()
  return transaction(context.db, (tx) => finishSignIn(context, tx, { userId: proved.userId, proof: 'passkey', from }))
}

/** Starts the new session; nothing of the old one continues. */
export async function finishSignIn(
  { clock }: Pick<SignInContext, 'clock'>,
  tx: Tx,
  { userId, proof, from }: { userId: string; proof: Session['proof']; from: From },
): Promise<Extract<SignInResult, { next: 'done' }>> {
  const { browser, oldToken } = from
  const now = clock.now()
  if (oldToken !== null) await endSession(tx, oldToken)
  if (proof !== 'password') await withdrawReset(tx, userId)
  const session = await startSession(tx, { userId, proof, browser }, now)
  const traces = tracesOf({ ip: browser.ip, sessionToken: session.token })
  await recordTraces(tx, { userId, traces, at: now, businessId: null })
  const actor = await personActor(tx, userId, from)
  const object = { type: 'session', id: session.id }
  await auditPerson(tx, { userId, actor, action: 'session.start', object, after: { proof } }, now)
  return { next: 'done', session }
}

/** Returns the actor for a person who does not have a session yet. */
export async function personActor(tx: Tx, userId: string, { browser, requestId }: From): Promise<Actor> {
  const person = await findPerson(tx, userId)
  return { kind: 'person', id: userId, name: person?.email ?? null, ...browser, requestId }
}
