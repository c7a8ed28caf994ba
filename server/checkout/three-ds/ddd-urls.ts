import { type Authentication, dddSessionId } from '../../three-d-secure/authentication.ts'
import type { Links } from '../sessions/session-view.ts'

// The bridge documents between the card page and the bank's pages (TDS-5).

type Named = Pick<Authentication, 'id'>

export const methodUrl = ({ dashboardUrl }: Links, named: Named): string =>
  `${dashboardUrl}/customer/ddd/method/${dddSessionId(named)}`

export const challengeUrl = ({ dashboardUrl }: Links, named: Named): string =>
  `${dashboardUrl}/customer/ddd/challenge/${dddSessionId(named)}`

/** Where the issuer's method notifies. */
export const methodDoneUrl = ({ dashboardUrl }: Links, named: Named): string =>
  `${dashboardUrl}/customer/ddd/method-done/${dddSessionId(named)}`

/** Where the issuer's page posts the browser after a challenge. */
export const challengeDoneUrl = ({ dashboardUrl }: Links, named: Named): string =>
  `${dashboardUrl}/customer/ddd/done/${dddSessionId(named)}`
