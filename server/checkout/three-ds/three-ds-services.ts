import type { DddAuthenticateRequest } from '../../../contract/three-ds.ts'
import type { ThreeDsServer } from '../../three-d-secure/three-ds-server.ts'
import type { PayServices } from '../pay/pay-services.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { Links } from '../sessions/session-view.ts'
import type { MethodNotices } from './method-notices.ts'

export interface ThreeDsServices extends PayServices {
  /** `null`: payers cannot be authenticated. */
  threeDsServer: ThreeDsServer | null
  links: Links
  methodNotices: MethodNotices
}

/** Where a call comes from. */
export interface ThreeDsCaller {
  loaded: LoadedSession
  ip: string
  /** As returned by `addressForCounting`. */
  payerIpPrefix: string
}

/** A call of `authenticate`, with what only its request has. */
export interface AuthenticateCall extends ThreeDsCaller {
  body: DddAuthenticateRequest
  /** `Accept`; `null` when the request has none. */
  accept: string | null
  /** `Accept-Language`; `null` when the request has none. */
  acceptLanguage: string | null
  /** Whether the caller has hung up. */
  isGone: () => boolean
}
