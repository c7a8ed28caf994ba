import type { Db } from '../../db/connection.ts'
import { markChallengeReturned, markMethodDone } from '../../three-d-secure/authentication-queries.ts'
import { readMethodNotification } from '../../three-d-secure/creq.ts'
import type { Links } from '../sessions/session-view.ts'
import type { FoundStep } from './bridge-lookup.ts'
import { type BridgeCall, type BridgeReply, returnReply } from './bridge-reply.ts'
import type { MethodNotices } from './method-notices.ts'

interface ReturnServices {
  db: Db
  links: Links
  methodNotices: MethodNotices
}

/**
 * The issuer's method has run, if the post names its transaction (TDS-6, TDS-25).
 *
 * @param body as posted, of any shape
 * @returns `null` when the authentication has no method
 */
export async function methodDone(
  { db, links, methodNotices }: ReturnServices,
  call: BridgeCall,
  step: FoundStep,
  body: unknown,
): Promise<BridgeReply | null> {
  const { authentication, now } = step
  if (authentication.methodUrl === null) return null
  const named = readMethodNotification(body)?.serverTransactionId.toLowerCase()
  if (named === authentication.serverTransactionId.toLowerCase()) {
    await markMethodDone(db, authentication, now)
    methodNotices.note(authentication.id)
  }
  return returnReply(links, call, step, { status: 200, text: 'returned' })
}

/** The browser came back from the challenge. What it brings is forgeable, and decides nothing (TDS-7). */
export async function challengeReturned(
  { db, links }: ReturnServices,
  call: BridgeCall,
  step: FoundStep,
): Promise<BridgeReply | null> {
  const { authentication, now } = step
  if (authentication.challengeUrl === null) return null
  await markChallengeReturned(db, authentication, now)
  return returnReply(links, call, step, { status: 200, text: 'returned' })
}
