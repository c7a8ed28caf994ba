import { PaymentLinkCancel, PaymentLinkCreate, SessionsQuery } from '../../../contract/dashboard/sessions-api.ts'
import { cancelSession } from '../../checkout/sessions/cancel-session.ts'
import { createPaymentLink } from '../../checkout/sessions/create-payment-link.ts'
import type { CreateServices } from '../../checkout/sessions/new-session.ts'
import { type DetailsServices, sessionDetails } from '../../checkout/sessions/session-details.ts'
import { findListedSessions, matching, selectSessions } from '../../checkout/sessions/session-list-queries.ts'
import { findSession } from '../../checkout/sessions/session-queries.ts'
import { checkoutUrl } from '../../checkout/sessions/session-view.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { readList } from '../read-list.ts'
import { sessionExport } from './session-export-route.ts'
import { sessionFilter } from './session-filter.ts'
import { noSuchSession, readSession, sessionRow } from './session-object.ts'

type SessionServices = CreateServices & DetailsServices

/**
 * Returns the routes of checkout sessions, and of payment links, which are sessions that people of the business create.
 */
export function sessionsRoutes(dashboard: DashboardRoutes, services: SessionServices): Route[] {
  return [
    listRoute(dashboard, services),
    sessionExport(dashboard),
    ...oneRoutes(dashboard, services),
    cancelRoute(dashboard, services),
    showLinkRoute(dashboard, services),
  ]
}

function listRoute(dashboard: DashboardRoutes, { db, clock }: SessionServices): Route {
  return dashboard.read('GET /checkout_sessions', {
    permission: 'payments.read',
    query: SessionsQuery,
    async handle({ member: { business }, query }) {
      const { filter, page, counted } = await readList(db, query, {
        filter: (reading) => sessionFilter(reading, { business, clock }, query),
        select: (reading, which) => selectSessions(reading, which, query),
        count: (reading, which) => countUpTo(reading, matching(reading, which)),
        rows: (ids) => findListedSessions(db, business.id, ids),
      })
      return { body: dashboardList(page, counted, (row) => sessionRow(row, filter.now)) }
    },
  })
}

function oneRoutes(dashboard: DashboardRoutes, services: SessionServices): Route[] {
  return [
    dashboard.write('POST /checkout_sessions', {
      permission: 'sessions.write',
      action: 'checkout_session.create',
      body: PaymentLinkCreate,
      async handle({ member: { business }, body }, tx) {
        const inside = { ...services, db: tx }
        const input = { ...body, amount_total: decimalFromCents(body.amount_total as Cents) }
        const { session, token } = await createPaymentLink(inside, { business, input })
        const { customer_id = null, customer_email = null, description = null } = body
        return {
          status: 201,
          body: {
            ...(await readSession(inside, business, session.id)),
            token,
            checkout_url: checkoutUrl(session, token, services.links),
          },
          audit: {
            object: { type: 'checkout_session', id: session.id },
            after: {
              amount_total: body.amount_total,
              currency: session.currency,
              customer_id,
              customer_email,
              description,
            },
          },
        }
      },
    }),
    dashboard.read('GET /checkout_sessions/{id}', {
      permission: 'payments.read',
      handle: async ({ member, params }) => ({ body: await readSession(services, member.business, params.id ?? '') }),
    }),
  ]
}

function cancelRoute(dashboard: DashboardRoutes, services: SessionServices): Route {
  return dashboard.write('POST /checkout_sessions/{id}/cancel', {
    permission: 'sessions.write',
    action: 'checkout_session.cancel',
    body: PaymentLinkCancel,
    async handle({ member: { business }, params, body }, tx) {
      const inside = { ...services, db: tx }
      const [id, reason] = [params.id ?? '', body.reason ?? null]
      const found = await findSession(inside, business.id, id)
      if (!found) throw noSuchSession()
      await cancelSession(inside, { businessId: business.id, tokenOrId: found.session.id, reason }).catch(asConflict)
      return {
        body: await readSession(inside, business, id),
        audit: {
          object: { type: 'checkout_session', id },
          before: { status: 'PENDING' },
          after: { status: 'CANCELLED', reason },
        },
      }
    },
  })
}

function showLinkRoute(dashboard: DashboardRoutes, services: SessionServices): Route {
  return dashboard.write('POST /checkout_sessions/{id}/show_link', {
    permission: 'sessions.write',
    action: 'checkout_session.show_link',
    async handle({ member: { business }, params: { id = '' } }, tx) {
      const details = await sessionDetails({ ...services, db: tx }, business, id)
      if (details.status !== 'PENDING')
        throw new ApiError('conflict', {
          message: `The session is ${details.status}.`,
          extra: { status: details.status },
        })
      const { checkout_url: url } = details.checkout_session
      return { body: { object: 'link' as const, url }, audit: { object: { type: 'checkout_session', id } } }
    },
  })
}

/** Turns a refusal of the checkout API, which is written for a payer's page, into a conflict. */
function asConflict(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 400) throw error
  const { message, extra = {} } = error.detail
  throw new ApiError('conflict', { message, extra: 'status' in extra ? { status: extra.status } : {} })
}
