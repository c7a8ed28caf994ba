import type { DddAuthenticateRequest } from '../../../contract/three-ds.ts'
import type { ThreeDsServer } from '../../three-d-secure/three-ds-server.ts'
import type { PayServices } from '../pay/pay-services.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { Links } from '../sessions/session-view.ts'
import type { MethodNotices } from './method-notices.ts'

export interface ThreeDsServices extends PayServices {
  /** `null` if payers cannot be authenticated. */
  threeDsServer: ThreeDsServer | null
  links: Links
  methodNotices: MethodNotices
}

/** Session and address from which a call comes. */
export interface ThreeDsCaller {
  loaded: LoadedSession
  ip: string
  /** IP prefix as returned by `addressForCounting`. */
  payerIpPrefix: string
}

/** A call of `authenticate`, with the parts that only its request has. */
export interface AuthenticateCall extends ThreeDsCaller {
  body: DddAuthenticateRequest
  /** `Accept` header; `null` if the request has none. */
  accept: string | null
  /** `Accept-Language` header; `null` if the request has none. */
  acceptLanguage: string | null
  /** Whether the caller has hung up. */
  isGone: () => boolean
}
