import { businessNow } from '../../businesses/business.ts'
import { addSeconds } from '../../lib/clock.ts'
import {
  type Authentication,
  LOOKUP_SECONDS,
  METHOD_TIMEOUT_MS,
  NOT_SUPPORTED,
} from '../../three-d-secure/authentication.ts'
import {
  claimSending,
  findSealedCard,
  type Lookup,
  recordChallenge,
  recordFailure,
} from '../../three-d-secure/authentication-state-queries.ts'
import { openCard, type WaitingCard } from '../../three-d-secure/sealed-card.ts'
import type { AuthenticationRequest, AuthenticationResult, LookupResult } from '../../three-d-secure/three-ds-server.ts'
import { requestData } from './authentication-request.ts'
import { awaitMethod } from './await-method.ts'
import { callThreeDsServer, hasFailed, logFailure } from './call-three-ds-server.ts'
import { recordResult } from './record-verdict.ts'
import type { AuthenticateCall, ThreeDsServices } from './three-ds-services.ts'

const SERVER_FAILED = 'the 3-D Secure server failed'

/**
 * Sends the request to the directory server, if no other call has sent it, and records the result.
 *
 * @see TDS-3, TDS-6
 */
export async function sendAuthentication(
  services: ThreeDsServices,
  call: AuthenticateCall,
  started: Authentication,
): Promise<void> {
  const { db, clock, keyring } = services
  const sealed = await findSealedCard(db, started)
  if (sealed === null) return
  const data = await requestData(services, call, started)
  if (!(await awaitMethod(services, call, started))) return
  const card = openCard(keyring, started.id, sealed)
  const again = await lookUpAgain(services, call, { started, card })
  if (again === 'ended') return
  const now = businessNow(clock, call.loaded.business)
  const challengeWindow = call.body.browser.challenge_window_size
  const claimed = await claimSending(db, started, { challengeWindow, again, now })
  if (claimed === null) return
  const sent: Authentication = {
    ...started,
    ...again,
    ...(again && { lookedUpAt: again.now }),
    state: 'SENT',
    ...claimed,
  }
  const { serverTransactionId, messageVersion } = sent
  const request: Omit<AuthenticationRequest, 'signal'> = {
    ...data,
    serverTransactionId,
    messageVersion,
    methodCompleted: methodCompleted(sent),
    card,
  }
  const result = await callThreeDsServer<AuthenticationResult>(services, (server, signal) =>
    server.authenticate({ ...request, signal }),
  )
  await recordSent(services, call, sent, result)
}

/** Returns whether the method completed as our server saw it, whatever the browser says. */
function methodCompleted({ methodUrl, methodDoneAt, lookedUpAt }: Authentication): 'Y' | 'N' | 'U' {
  if (methodUrl === null) return 'U'
  return methodDoneAt !== null && methodDoneAt <= addSeconds(lookedUpAt, METHOD_TIMEOUT_MS / 1000) ? 'Y' : 'N'
}

/**
 * Looks up the card again for a payer who took long, because the server forgets the first transaction id.
 *
 * @returns `null` while the first transaction id is valid
 */
async function lookUpAgain(
  services: ThreeDsServices,
  { loaded }: AuthenticateCall,
  { started, card: { number } }: { started: Authentication; card: WaitingCard },
): Promise<Lookup | 'ended' | null> {
  const { db, clock, log } = services
  const now = () => businessNow(clock, loaded.business)
  if (now() < addSeconds(started.lookedUpAt, LOOKUP_SECONDS)) return null
  const found = await callThreeDsServer<LookupResult>(services, (server, signal) => server.lookUp({ number, signal }))
  if (hasFailed(found)) {
    logFailure(log, started, found, SERVER_FAILED)
    await recordFailure(db, started, { code: found.errorCode, component: found.component, now: now() })
    return 'ended'
  }
  if (found.outcome === 'enrolled') return { ...found, now: now() }
  await recordFailure(db, started, { code: NOT_SUPPORTED, component: null, now: now() })
  return 'ended'
}

async function recordSent(
  services: ThreeDsServices,
  call: AuthenticateCall,
  sent: Authentication,
  result: AuthenticationResult,
): Promise<void> {
  const { db, clock, log } = services
  const now = businessNow(clock, call.loaded.business)
  if (hasFailed(result)) {
    logFailure(log, sent, result, SERVER_FAILED)
    return recordFailure(db, sent, { code: result.errorCode, component: result.component, now })
  }
  if (result.outcome === 'challenge') return recordChallenge(db, sent, { ...result, now })
  return recordResult(services, call, sent, result)
}
