import type { Role } from '../../../contract/permissions.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Client } from '../clients/client.ts'
import type { AccessContext } from '../shared/context.ts'
import { TOKEN_ROLES } from '../tokens/token-scopes.ts'
import { passwordMatches } from './password.ts'
import { admitTry } from './sign-in-lock.ts'
import { findPassword } from './user-queries.ts'

/** Five tries a minute for each user name. */
export const USER_NAME_LIMIT = { name: 'token user name', points: 5, seconds: 60 }

/**
 * Finds the person of a password grant. It is called only after the client has authenticated, so that strangers cannot
 * lock anybody out; tries are counted within the client's business, so that one merchant cannot lock out a user of
 * another.
 *
 * The grant is for people whose role gives tokens to servers. It checks nothing but a password, so a person with a
 * second factor is refused unless an owner has allowed them for the client.
 *
 * @returns the person; `null` alike if unknown, wrong, locked or refused
 * @throws ApiError `rate_limited`
 * @see ACC-3, ACC-10, ACC-78, ATT-13
 */
export async function signInWithPassword(
  context: AccessContext & { userNameLimiter: RateLimiter },
  { client, username, password }: { client: Client; username: string; password: string },
): Promise<{ userId: string; role: Role } | null> {
  const email = username.trim().toLowerCase()
  const name = `${client.businessId} ${email}`
  await context.userNameLimiter.consume(name)
  const succeed = await admitTry(context, name)
  const found = await findPassword(context.db, { businessId: client.businessId, email })
  // A locked name takes as much work, so that the response time reveals nothing.
  const matches = await passwordMatches(password, succeed && (found?.passwordHash ?? null))
  if (!succeed || !found || !matches) return null
  // A person who may not use the grant counts as a failure: neither time nor lock reveals that the password was right.
  const isBarred = found.hasSecondFactor && !client.skipsSecondFactor
  if (isBarred || !TOKEN_ROLES.includes(found.role)) return null
  await succeed()
  return { userId: found.userId, role: found.role }
}
