import { businessNow } from '../../businesses/business.ts'
import { type Authentication, METHOD_TIMEOUT_MS } from '../../three-d-secure/authentication.ts'
import { isMethodOutstanding } from '../../three-d-secure/authentication-queries.ts'
import type { AuthenticateCall, ThreeDsServices } from './three-ds-services.ts'

/** How long a notification that arrives in another process may go unnoticed. */
const LOOK_EVERY_MS = 250

/**
 * Waits for the notification of the issuer's method, at most until its timeout, so that the request can be sent without
 * another round trip through the payer's browser.
 *
 * @returns `false` if the caller has hung up: nothing is sent for a payer who left
 * @see TDS-6
 */
export async function awaitMethod(
  { db, clock, methodNotices }: ThreeDsServices,
  { body, loaded: { business }, isGone }: AuthenticateCall,
  authentication: Authentication,
): Promise<boolean> {
  const { id, methodUrl, methodDoneAt, lookedUpAt } = authentication
  if (body.await_method !== true || methodUrl === null || methodDoneAt !== null) return true
  const passedMs = businessNow(clock, business).getTime() - lookedUpAt.getTime()
  const end = performance.now() + METHOD_TIMEOUT_MS - passedMs
  for (;;) {
    const leftMs = end - performance.now()
    if (leftMs <= 0) return !isGone()
    // Starts to listen before the table is read, so that no notification is missed.
    const noticed = methodNotices.next(id, Math.min(leftMs, LOOK_EVERY_MS))
    if (isGone()) return false
    if (!(await isMethodOutstanding(db, authentication))) return true
    if (await noticed) return !isGone()
  }
}
