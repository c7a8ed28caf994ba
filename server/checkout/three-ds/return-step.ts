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
 * Records that the issuer's method has run, if the post contains its transaction id (TDS-6, TDS-25).
 *
 * @param body posted body, of any shape
 * @returns `null` if the authentication has no method
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

/** Records that the browser returned from the challenge. What it brings can be forged and decides nothing (TDS-7). */
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
