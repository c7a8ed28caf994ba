import {
  CardDetach,
  type CardRequest,
  CardRequestBody,
  type DetachPreview,
} from '../../../contract/dashboard/customers-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import type { CustomerCardLinkUrl } from '../../checkout/sessions/customer-card-link.ts'
import { requestCard } from '../../checkout/sessions/request-card.ts'
import { revokeCardLinks } from '../../checkout/sessions/revoke-card-links.ts'
import { detachPaymentMethod } from '../../customers/detach-payment-method.ts'
import { noSuchPaymentMethod, paymentMethodObject } from '../../customers/payment-method.ts'
import type { Db } from '../../db/connection.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { Route } from '../../http/route.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { previewHash, requirePreview } from '../preview-hash.ts'
import { listBriefsOfCard } from '../subscription-brief-queries.ts'
import { customerCard, readCustomer } from './customer-object.ts'
import { findDetailedCard } from './customer-queries.ts'

/** How many names a preview returns at most: more than a person reads. */
const NAMED_MAX = 100

export interface CardServices {
  clock: Clock
  customerCardLink: CustomerCardLinkUrl
  letterLimit: LetterLimit
  merchants: Merchants
}

/** Returns the routes that request a card, preview what loses its card, and detach a card. */
export function cardRoutes(dashboard: DashboardRoutes, services: CardServices): Route[] {
  const { db } = dashboard
  const { clock } = services
  return [
    requestRoute(dashboard, services),
    revokeRoute(dashboard, services),
    dashboard.preview('POST /payment_methods/{id}/detach/preview', {
      permission: 'cards.detach',
      handle: async ({ member: { business }, params }) => ({
        body: await previewDetach({ db, clock }, business, params.id ?? ''),
      }),
    }),
    dashboard.write('POST /payment_methods/{id}/detach', {
      permission: 'cards.detach',
      action: 'payment_method.detach',
      body: CardDetach,
      async handle({ member: { business }, params, body }, tx) {
        const [inside, id] = [{ db: tx, clock }, params.id ?? '']
        const preview = await previewDetach(inside, business, id)
        requirePreview(body.preview_hash, preview)
        const card = await detachPaymentMethod(inside, { business, id })
        const subscriptions = preview.subscriptions.map((one) => one.id)
        return {
          body: paymentMethodObject(card),
          audit: {
            object: { type: 'payment_method', id },
            before: { status: preview.card.status },
            after: { status: 'detached', subscriptions },
          },
        }
      },
    }),
  ]
}

function requestRoute(dashboard: DashboardRoutes, services: CardServices): Route {
  return dashboard.writeOnce('POST /customers/{id}/card_request', {
    permission: 'customers.write',
    action: 'customer.request_card',
    body: CardRequestBody,
    withoutSecrets: (body): CardRequest => ({ ...body, url: null }),
    async handle({ member: { business }, params, body: { by } }, tx) {
      const id = params.id ?? ''
      const asked = { business, customerId: id, byLetter: by === 'letter' }
      const { url, expiresAt, letterTo } = await requestCard({ ...services, db: tx }, asked)
      const expires = epochSeconds(expiresAt)
      const body: CardRequest = { object: 'card_request', customer: id, url, expires, letter_to: letterTo }
      return { body, audit: { object: { type: 'customer', id }, after: { by } } }
    },
  })
}

function revokeRoute(dashboard: DashboardRoutes, services: CardServices): Route {
  return dashboard.write('POST /customers/{id}/revoke_card_links', {
    permission: 'customers.write',
    action: 'customer.revoke_card_links',
    async handle({ member: { business }, params }, tx) {
      const [inside, id] = [{ ...services, db: tx }, params.id ?? '']
      const links = await revokeCardLinks(inside, { business, customerId: id })
      return {
        body: await readCustomer(inside, business, id),
        audit: { object: { type: 'customer', id }, after: { links } },
      }
    },
  })
}

/** @throws ApiError `not_found` */
async function previewDetach(
  { db, clock }: { db: Db; clock: Clock },
  business: Business,
  id: string,
): Promise<DetachPreview> {
  const card = await findDetailedCard(db, business.id, id)
  if (!card) throw noSuchPaymentMethod()
  const subscriptions = await listBriefsOfCard(db, business.id, id, NAMED_MAX)
  const figures = subscriptions.map(({ id: one, amount, next_billing_date: next }) => [one, amount, next])
  return {
    preview_hash: previewHash({ id, detached: card.detachedAt !== null, figures }),
    card: customerCard(card, businessNow(clock, business)),
    subscriptions,
  }
}
