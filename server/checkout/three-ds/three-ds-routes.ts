import { DddAuthenticateRequest } from '../../../contract/three-ds.ts'
import { addressForCounting } from '../../http/client-address.ts'
import { PUBLIC_PATHS } from '../../http/family.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import { type Route, route } from '../../http/route.ts'
import { throughLink } from '../form/through-link.ts'
import { findPayable } from '../sessions/load-session.ts'
import type { SessionDoor } from '../sessions/session-access.ts'
import { authenticatePayer } from './authenticate-payer.ts'
import { initAuthentication } from './init-authentication.ts'
import { DddInitRequest } from './init-request.ts'
import { threeDsDoor } from './three-ds-access.ts'
import { AUTHENTICATE_DOCUMENT, INIT_DOCUMENT } from './three-ds-openapi.ts'
import type { ThreeDsCaller, ThreeDsServices } from './three-ds-services.ts'

export interface ThreeDsRouteServices extends ThreeDsServices {
  makeRateLimiter: MakeRateLimiter
  door: Pick<SessionDoor, 'perAddress'>
}

/** Routes of the public 3-D Secure paths. The session token in the body is the credential. */
export function threeDsRoutes(services: ThreeDsRouteServices): Route[] {
  const [init, authenticate] = [threeDsDoor(services, 'init'), threeDsDoor(services, 'authenticate')]
  const withToken = throughLink(services)
  const called = <Result>(
    { businessId, token, ip }: { businessId: string; token: string; ip: string },
    serve: (caller: ThreeDsCaller) => Promise<Result>,
  ): Promise<Result> =>
    withToken({ token }, async (own) => {
      const loaded = await findPayable(services, own, businessId)
      return serve({ loaded, ip, payerIpPrefix: addressForCounting(ip) })
    })
  const { perAddress } = services.door
  const shared = { method: 'POST' as const, family: PUBLIC_PATHS, browsers: 'form' as const, perAddress }
  return [
    route({
      ...shared,
      path: '/api/{business_id}/ddd/init',
      access: init.access,
      limits: init.limits,
      takesCardData: true,
      body: DddInitRequest,
      document: INIT_DOCUMENT,
      async handle({ params, body, ip }) {
        const place = { businessId: params.business_id ?? '', token: body.session_token }
        await init.admit(place)
        return { body: await called({ ...place, ip }, (caller) => initAuthentication(services, caller, body)) }
      },
    }),
    route({
      ...shared,
      path: '/api/{business_id}/ddd/authenticate',
      access: authenticate.access,
      limits: authenticate.limits,
      body: DddAuthenticateRequest,
      document: AUTHENTICATE_DOCUMENT,
      async handle({ params, body, ip, accept, acceptLanguage, isGone }) {
        const place = { businessId: params.business_id ?? '', token: body.session_token }
        await authenticate.admit(place)
        const serve = (caller: ThreeDsCaller) =>
          authenticatePayer(services, { ...caller, body, accept, acceptLanguage, isGone })
        return { body: await called({ ...place, ip }, serve) }
      },
    }),
  ]
}
