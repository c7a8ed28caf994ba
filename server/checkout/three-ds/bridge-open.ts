import type { Db } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { OPEN_CHALLENGE_SECONDS } from '../../three-d-secure/authentication.ts'
import { markChallengeOpened } from '../../three-d-secure/authentication-queries.ts'
import { encodeCreq, encodeMethodData } from '../../three-d-secure/creq.ts'
import type { Links } from '../sessions/session-view.ts'
import type { FoundStep } from './bridge-lookup.ts'
import { type BridgeCall, type BridgeReply, bridgeReply, returnReply } from './bridge-reply.ts'
import { challengeState, methodState } from './bridge-state.ts'
import { bankOrigin, challengeDoneUrl, methodDoneUrl } from './bridge-urls.ts'

interface OpenServices {
  db: Db
  links: Links
}

/** Form that the bridge posts to the bank, and the URL to which the bank posts the browser back. */
interface Posted {
  action: string
  field: { name: string; value: string }
  returnUrl: string
}

/** Opens the issuer's method. @returns `null` if the authentication has no such step */
export async function openMethod(
  { links }: OpenServices,
  call: BridgeCall,
  step: FoundStep,
): Promise<BridgeReply | null> {
  const { authentication } = step
  const { serverTransactionId, methodUrl } = authentication
  const state = methodState(authentication, step)
  if (state === 'none' || methodUrl === null) return null
  const returnUrl = methodDoneUrl(links, authentication)
  const value = encodeMethodData({ serverTransactionId, notificationUrl: returnUrl })
  const posted = { action: methodUrl, field: { name: 'threeDSMethodData', value }, returnUrl }
  return reply(links, call, step, state === 'open' ? posted : null)
}

/** Opens the challenge, and records that it was opened. @returns `null` if the authentication has no such step */
export async function openChallenge(
  { db, links }: OpenServices,
  call: BridgeCall,
  step: FoundStep,
): Promise<BridgeReply | null> {
  const { authentication, now } = step
  const { serverTransactionId, acsTransactionId, messageVersion, challengeUrl } = authentication
  const state = challengeState(authentication, step)
  if (state === 'none' || challengeUrl === null || acsTransactionId === null) return null
  const challengedSince = addSeconds(now, -OPEN_CHALLENGE_SECONDS)
  const isOpen = state === 'open' && (await markChallengeOpened(db, authentication, { now, challengedSince }))
  const window = authentication.challengeWindow ?? '05'
  const value = encodeCreq({ serverTransactionId, acsTransactionId, messageVersion, window })
  const returnUrl = challengeDoneUrl(links, authentication)
  return reply(links, call, step, isOpen ? { action: challengeUrl, field: { name: 'creq', value }, returnUrl } : null)
}

/** Replies with the form. If no frame can safely show the bank's URL, the step is over: the page asks the service. */
function reply(links: Links, call: BridgeCall, step: FoundStep, posted: Posted | null): BridgeReply {
  const origin = posted && bankOrigin(links, posted.action)
  if (posted === null || origin === null) return returnReply(links, call, step, { status: 410, text: 'over' })
  const { action, field, returnUrl } = posted
  return bridgeReply(links, call, step, { action, bankOrigin: origin, field }, returnUrl)
}
