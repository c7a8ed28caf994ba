import type { FastifyRequest } from 'fastify'
import { CheckoutSessionCancel, CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import { ModalSessionCreate } from '../../../contract/modal-session.ts'
import { SessionListQuery } from '../../../contract/session-list.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import { findClientOrigins } from '../../access/tokens/browser-token-queries.ts'
import type { BearerCaller } from '../../access/tokens/token.ts'
import { CHECKOUT_API } from '../../http/family.ts'
import { type Access, type Limit, type Route, route } from '../../http/route.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { cancelSession } from './cancel-session.ts'
import { createModalSession } from './create-modal-session.ts'
import { createSession } from './create-session.ts'
import { sessionList } from './list-sessions.ts'
import type { CreateServices } from './new-session.ts'
import { sessionDetails } from './session-details.ts'
import {
  CANCEL_DOCUMENT,
  CREATE_DOCUMENT,
  CREATE_MODAL_DOCUMENT,
  DETAILS_DOCUMENT,
  LIST_DOCUMENT,
} from './session-openapi.ts'
import { createdView, type Links } from './session-view.ts'

export interface SessionRouteServices extends CreateServices {
  /** `{base_url}`, used in links between pages of the list. */
  baseUrl: string
  links: Links
  bearer: Access<BearerCaller>
  /** Access for a merchant's server, or for a merchant's page with a browser token. */
  creator: Access<CreatorCaller>
  /** 60 requests a minute per business, over all its paths (ACC-25). */
  limits: Limit<Pick<BearerCaller, 'business'>>[]
  creatorLimits: Limit<CreatorCaller>[]
}

/** The merchant's routes of checkout sessions. */
export const sessionRoutes = (services: SessionRouteServices): Route[] => [
  ...createRoutes(services),
  ...followUpRoutes(services),
]

function createRoutes(services: SessionRouteServices): Route[] {
  const { links } = services
  const shared = {
    family: CHECKOUT_API,
    access: services.creator,
    limits: services.creatorLimits,
    browsers: clientPages(services),
  }
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/{business_id}/checkout/create',
      scope: 'checkout_sessions:write',
      body: CheckoutSessionCreate,
      document: CREATE_DOCUMENT,
      async handle({ caller, origin, body }) {
        const { session, token } = await createSession(services, { caller, origin, input: body })
        const created = envelope('Checkout session created', session.status, createdView(session, token, links))
        return { body: created, headers: warningOf(caller, origin) }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/{business_id}/rapid-checkout/create',
      scope: 'checkout_sessions:write',
      body: ModalSessionCreate,
      document: CREATE_MODAL_DOCUMENT,
      async handle({ caller, origin, body }) {
        const { session, token } = await createModalSession(services, { caller, origin, input: body })
        const created = envelope('Modal session created', session.status, createdView(session, token, links))
        return { body: created, headers: warningOf(caller, origin) }
      },
    }),
  ]
}

/** Routes for existing sessions, which a merchant's server lists, reads and cancels. */
function followUpRoutes(services: SessionRouteServices): Route[] {
  const { links, bearer: access, limits } = services
  const shared = { family: CHECKOUT_API, access, limits }
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/{business_id}/checkout-sessions',
      scope: 'checkout_sessions:read',
      query: SessionListQuery,
      document: LIST_DOCUMENT,
      async handle({ caller, query }) {
        const sessions = await sessionList(services, caller.business, query)
        return { body: { ok: true, message: 'Checkout sessions', checkout_sessions: sessions } }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/{business_id}/checkout/{session_token}/details',
      scope: 'checkout_sessions:read',
      document: DETAILS_DOCUMENT,
      async handle({ caller, params }) {
        return { body: await sessionDetails(services, caller.business, params.session_token ?? '') }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/{business_id}/checkout/{session_token}/cancel',
      scope: 'checkout_sessions:write',
      body: CheckoutSessionCancel,
      document: CANCEL_DOCUMENT,
      async handle({ caller, params, body }) {
        const { session, token } = await cancelSession(services, {
          businessId: caller.business.id,
          tokenOrId: params.session_token ?? '',
          reason: body.reason ?? null,
        })
        return { body: envelope('Checkout session cancelled', session.status, createdView(session, token, links)) }
      },
    }),
  ]
}

/**
 * Lets browsers call from the origins of the business's OAuth clients. A preflight has no credential, so only the path
 * names the business. The lookup is cached for a second, whether or not the business exists.
 */
function clientPages({ db, clock }: SessionRouteServices) {
  const origins = createTtlCache<string[]>(clock)
  return async ({ params, headers }: FastifyRequest): Promise<boolean> => {
    const { business_id: businessId } = params as { business_id: string }
    const known = await origins.get(businessId, () => findClientOrigins(db, businessId))
    return known?.includes(headers.origin ?? '') ?? false
  }
}

/** Returns the envelope of a create response. @see CHK-15 */
function envelope(message: string, status: string, session: object) {
  return { ok: true, message, status, checkout_session: session, transaction: null }
}

/**
 * Warns about an access token sent with an Origin: it probably comes from a page, where every visitor can read it. The
 * session is created anyway, because a server may also send an Origin.
 */
function warningOf({ browserToken }: CreatorCaller, origin: string | null): Record<string, string> {
  if (browserToken || origin === null) return {}
  return {
    warning: '299 - "access token with an Origin: keep access tokens on your server and give pages a browser token"',
  }
}
