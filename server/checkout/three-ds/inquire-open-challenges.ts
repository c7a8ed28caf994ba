import { businessNow } from '../../businesses/business.ts'
import { CHALLENGE_TIMEOUT_MS, RESULT_KEPT_SECONDS } from '../../three-d-secure/authentication.ts'
import { findAuthenticationById } from '../../three-d-secure/authentication-queries.ts'
import { expireAbandonedChallenges, findOpenChallenges } from '../../three-d-secure/open-challenge-queries.ts'
import { findSession } from '../sessions/session-queries.ts'
import type { SessionTokens } from '../sessions/session-token.ts'
import { awaitChallenge } from './await-challenge.ts'
import type { ThreeDsServices } from './three-ds-services.ts'

/** The page asks every few seconds. If it has not asked for this long, it is asleep or gone. */
const ASLEEP_SECONDS = 50
const BATCH = 100
const AT_ONCE = 5
/** Stands in for a payer's address, and equals none: the attempt counts only for the card and the session. */
const UNKNOWN_ADDRESS = ''

type Services = ThreeDsServices & { sessionTokens: SessionTokens }

/**
 * Inquires about challenges whose page no longer does: a phone that shows the bank's app puts the page to sleep, and
 * the server forgets the result before the payer is back.
 *
 * @see TDS-7
 */
export async function inquireOpenChallenges(services: Services): Promise<void> {
  const { db, clock, threeDsServer, log } = services
  if (threeDsServer === null) return
  const now = clock.now()
  await expireAbandonedChallenges(db, { now, graceSeconds: RESULT_KEPT_SECONDS })
  const ids = await findOpenChallenges(db, {
    now,
    asleepSeconds: ASLEEP_SECONDS,
    openSeconds: CHALLENGE_TIMEOUT_MS / 1000,
    limit: BATCH,
  })
  const inquireOthers = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      await inquireOne(services, id).catch((error: unknown) =>
        log.warn({ err: error, authentication: id }, 'the result of a challenge could not be asked for'),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, inquireOthers))
}

async function inquireOne(services: Services, id: string): Promise<void> {
  const { db, clock, merchants, sessionTokens } = services
  const authentication = await findAuthenticationById(db, id)
  if (authentication?.state !== 'CHALLENGE') return
  const found = await findSession({ db, merchants }, authentication.businessId, authentication.sessionId)
  if (!found) return
  const loaded = { ...found, token: sessionTokens.make(found.session), now: businessNow(clock, found.business) }
  await awaitChallenge(services, { loaded, payerIpPrefix: UNKNOWN_ADDRESS, isCanceled: false }, authentication)
}
