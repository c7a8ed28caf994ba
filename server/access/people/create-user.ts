import type { Tx } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { hashPassword, newPassword } from './password.ts'
import { findUserId, insertMember, insertPassword, insertUser } from './user-queries.ts'

type Context = { db: Tx; clock: Clock }

/**
 * Makes a person who may sign in, with a password that is shown this once.
 *
 * @param email the user name; upper and lower case are one
 * @throws ApiError `validation_failed` when the e-mail is taken
 */
export async function createUser(
  { db, clock }: Context,
  { email, name }: { email: string; name: string },
): Promise<{ userId: string; password: string }> {
  const userId = newId()
  const at = clock.now()
  if (!(await insertUser(db, { id: userId, email: email.toLowerCase(), name, at }))) {
    throw invalidField('email', 'is taken')
  }
  const password = newPassword()
  await insertPassword(db, { id: newId(), userId, passwordHash: await hashPassword(password), at })
  return { userId, password }
}

/** Who signs in for a business: a new person, with a password, or one who is known and keeps theirs. */
export async function addOwner(
  context: Context,
  { businessId, email }: { businessId: string; email: string },
): Promise<{ userId: string; password: string | null }> {
  const known = await findUserId(context.db, email.toLowerCase())
  const user = known === null ? await createUser(context, { email, name: email }) : { userId: known, password: null }
  await insertMember(context.db, { businessId, userId: user.userId, at: context.clock.now() })
  return user
}
