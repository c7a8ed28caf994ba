import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Client } from '../clients/client.ts'
import type { AccessContext } from '../shared/context.ts'
import { passwordMatches } from './password.ts'
import { admitTry } from './sign-in-lock.ts'
import { findPassword } from './user-queries.ts'

/** Five tries a minute. */
export const USER_NAME_LIMIT = { name: 'token user name', points: 5, seconds: 60 }

/**
 * The password grant: who is it? Asked only after the client proved itself, so that strangers lock nobody out; counted
 * within the client's business, so that one merchant locks no user of another out.
 *
 * @returns the user's id; `null` for unknown, wrong and locked alike
 * @throws ApiError `rate_limited`
 * @see ACC-3, ACC-10, ATT-13
 */
export async function signInWithPassword(
  context: AccessContext & { userNameLimiter: RateLimiter },
  { client, username, password }: { client: Client; username: string; password: string },
): Promise<string | null> {
  const email = username.trim().toLowerCase()
  const name = `${client.businessId} ${email}`
  await context.userNameLimiter.consume(name)
  const succeed = await admitTry(context, name)
  const found = await findPassword(context.db, { businessId: client.businessId, email })
  // As much work for a locked name, so that the time says nothing.
  const matches = await passwordMatches(password, succeed && (found?.passwordHash ?? null))
  if (!succeed || !matches) return null
  await succeed()
  return found?.userId ?? null
}
