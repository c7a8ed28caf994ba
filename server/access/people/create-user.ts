import type { Tx } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type HashedPassword, newHashedPassword } from './password.ts'
import { findUserId, insertMember, insertPassword, insertUser } from './user-queries.ts'

type Context = { db: Tx; clock: Clock }

/**
 * Creates a person who may sign in, with a password that is shown only now.
 *
 * @param email the user name; case does not matter
 * @param hashed hash of the password; by default, of a new one
 * @throws ApiError `validation_failed` if the e-mail is taken
 */
export async function createUser(
  { db, clock }: Context,
  { email, name, hashed }: { email: string; name: string; hashed?: HashedPassword | undefined },
): Promise<{ userId: string; password: string }> {
  const userId = newId()
  const at = clock.now()
  if (!(await insertUser(db, { id: userId, email: email.toLowerCase(), name, at }))) {
    throw invalidField('email', 'is taken')
  }
  const { password, hash: passwordHash } = hashed ?? (await newHashedPassword())
  await insertPassword(db, { id: newId(), userId, passwordHash, at })
  return { userId, password }
}

/** Adds the owner of a business: a new person, with a password, or a known one, who keeps theirs. */
export async function addOwner(
  context: Context,
  { businessId, email }: { businessId: string; email: string },
): Promise<{ userId: string; password: string | null }> {
  const known = await findUserId(context.db, email.toLowerCase())
  const user = known === null ? await createUser(context, { email, name: email }) : { userId: known, password: null }
  await insertMember(context.db, { businessId, userId: user.userId, at: context.clock.now() })
  return user
}
