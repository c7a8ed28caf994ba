import type { Role } from '../../../contract/permissions.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Client } from '../clients/client.ts'
import type { AccessContext } from '../shared/context.ts'
import { TOKEN_ROLES } from '../tokens/token-scopes.ts'
import { passwordMatches } from './password.ts'
import { admitTry } from './sign-in-lock.ts'
import { findPassword } from './user-queries.ts'

/** Five tries a minute. */
export const USER_NAME_LIMIT = { name: 'token user name', points: 5, seconds: 60 }

/**
 * The password grant: who is it? Asked only after the client proved itself, so that strangers lock nobody out; counted
 * within the client's business, so that one merchant locks no user of another out.
 *
 * It is for people whose role gives tokens to servers, and knows nothing but a password, so a second factor bars it
 * unless an owner has allowed it for the client.
 *
 * @returns the person; `null` for unknown, wrong, locked and barred alike
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
  // As much work for a locked name, so that the time says nothing.
  const matches = await passwordMatches(password, succeed && (found?.passwordHash ?? null))
  if (!succeed || !found || !matches) return null
  // A barred person counts as a failure: neither the time nor the lock tells that the password was right.
  const isBarred = found.hasSecondFactor && !client.skipsSecondFactor
  if (isBarred || !TOKEN_ROLES.includes(found.role)) return null
  await succeed()
  return { userId: found.userId, role: found.role }
}
