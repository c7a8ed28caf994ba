import { type Authentication, dddSessionId } from '../../three-d-secure/authentication.ts'
import type { Links } from '../sessions/session-view.ts'

// URLs of the documents between the payment page and the bank's pages, at `{dashboard_url}` (TDS-5).

/** Prefix of the paths. Below it, errors are documents of this kind too. */
export const BRIDGE_PREFIX = '/customer/ddd'

export const BRIDGE_PATHS = {
  method: `${BRIDGE_PREFIX}/method/{ddd_session_id}`,
  challenge: `${BRIDGE_PREFIX}/challenge/{ddd_session_id}`,
  methodDone: `${BRIDGE_PREFIX}/method-done/{ddd_session_id}`,
  done: `${BRIDGE_PREFIX}/done/{ddd_session_id}`,
} as const
export type BridgePath = keyof typeof BRIDGE_PATHS

type Named = Pick<Authentication, 'id'>
const urlOf =
  (path: BridgePath) =>
  ({ dashboardUrl }: Links, named: Named) =>
    dashboardUrl + BRIDGE_PATHS[path].replace('{ddd_session_id}', dddSessionId(named))

export const methodUrl = urlOf('method')
export const challengeUrl = urlOf('challenge')
/** Returns the URL to which the issuer's method sends its notification. */
export const methodDoneUrl = urlOf('methodDone')
/** Returns the URL to which the issuer's page posts the browser after a challenge. */
export const challengeDoneUrl = urlOf('done')

/**
 * Returns the origin of a bank's URL, as a source in a policy. The URL comes from outside: its host may contain
 * characters that have a meaning in a policy. It may also be one of our own URLs; then a form in the document would
 * count as our own, and the sandbox of the frame would restrict nothing.
 *
 * @returns `null` if no frame can safely show the URL
 */
export function bankOrigin({ dashboardUrl }: Links, url: string): string | null {
  const { protocol, hostname, origin, username, password } = URL.canParse(url) ? new URL(url) : NOWHERE
  const isWeb = protocol === 'https:' || protocol === 'http:'
  const isSafe = isWeb && HOST.test(hostname) && username === '' && password === ''
  return isSafe && origin !== new URL(dashboardUrl).origin ? origin : null
}

const NOWHERE = { protocol: '', hostname: '', origin: '', username: '', password: '' }
const HOST = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/
