import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { Changer } from '../factors/change-factors.ts'
import { createCode, useCode } from '../factors/one-time-code.ts'
import { deleteCodesOf } from '../factors/one-time-code-queries.ts'
import { auditPerson } from '../people/audit-person.ts'
import { hashPassword } from '../people/password.ts'
import type { NotifyPerson } from '../people/person-notice.ts'
import { findPersonByEmail, lockPerson, updatePassword } from '../people/person-queries.ts'
import { insertPassword } from '../people/user-queries.ts'
import { endSessionsOf } from '../sessions/live-session-queries.ts'
import type { NewSession } from '../sessions/session.ts'
import { renewSession } from '../sessions/start-session.ts'
import { type From, personActor } from './sign-in.ts'

type Context = { db: Db; keyring: Keyring; clock: Clock; notifyPerson: NotifyPerson }

/** Sends the link if the e-mail belongs to a person. The caller must not reveal whether it does. */
export async function sendPasswordReset({ db, keyring, clock, notifyPerson }: Context, email: string): Promise<void> {
  await transaction(db, async (tx) => {
    const person = await findPersonByEmail(tx, email)
    if (!person) return
    const { id: userId } = person
    const code = await createCode({ db: tx, keyring }, { purpose: 'password_reset', userId }, clock.now())
    await notifyPerson(tx, userId, { kind: 'password_reset', code })
  })
}

/**
 * Sets a new password with the code of a link, and signs the person out everywhere. The second factor stays, so that
 * access to the mailbox alone is not enough.
 *
 * @throws ApiError `validation_failed` for a code that is used, too old or unknown
 */
export async function resetPassword(
  { db, keyring, clock, notifyPerson }: Context,
  { code, password }: { code: string; password: string },
  from: From,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const now = clock.now()
  await transaction(db, async (tx) => {
    const used = await useCode({ db: tx, keyring }, { purpose: 'password_reset', code }, now)
    if (!used?.userId) throw staleLink()
    const { userId } = used
    await setPassword(tx, { userId, passwordHash, now })
    await endSessionsOf(tx, userId)
    await notifyPerson(tx, userId, PASSWORD_CHANGED)
    const actor = await personActor(tx, userId, from)
    await auditPerson(tx, { userId, actor, action: 'password.reset' }, now)
  })
}

const PASSWORD_CHANGED = { kind: 'account_changed', change: 'password_changed' } as const

/** Refuses a link with one text, whether it is used, too old, or never existed. */
export const staleLink = () => invalidField('code', 'This link was used, or is too old')

/** Changes the password of the signed-in person: other sessions end, and this one gets a new id. */
export async function changePassword(
  { db, clock, notifyPerson }: Context,
  { session, actor }: Changer,
  password: string,
): Promise<NewSession> {
  const { userId } = session
  const passwordHash = await hashPassword(password)
  const now = clock.now()
  return transaction(db, async (tx) => {
    await setPassword(tx, { userId, passwordHash, now })
    const renewed = await renewSession(tx, session, now)
    await endSessionsOf(tx, userId, { but: renewed.id })
    await notifyPerson(tx, userId, PASSWORD_CHANGED)
    await auditPerson(tx, { userId, actor, action: 'password.change' }, now)
    return renewed
  })
}

/** Sets the password. Links that were sent before become void. */
async function setPassword(
  tx: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await lockPerson(tx, userId)
  const hadOne = await updatePassword(tx, { userId, passwordHash, at: now })
  if (!hadOne) await insertPassword(tx, { id: newId(), userId, passwordHash, at: now })
  for (const purpose of ['password_reset', 'second_factor', 'sign_in_link'] as const) {
    await deleteCodesOf(tx, { userId, purpose })
  }
}
