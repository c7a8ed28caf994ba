import type { Business } from '../businesses/business.ts'
import { findPrices } from '../catalog/price-queries.ts'
import { findProductNames } from '../catalog/product-queries.ts'
import { logoUrl } from '../checkout/form/logo-route.ts'
import type { Links } from '../checkout/sessions/session-view.ts'
import { findBilledCard } from '../customers/billed-card-queries.ts'
import { findRecipient } from '../customers/customer-queries.ts'
import type { Db } from '../db/connection.ts'
import type { LetterCard, LetterPayment, LetterSources, LetterSubscription } from '../emails/compose/letter-sources.ts'
import { findPaymentForLetter } from '../payments/letter-payment-queries.ts'
import { findContract } from '../subscriptions/contracts/contract-queries.ts'
import { ATTEMPTS_MAX } from '../subscriptions/plan/retries.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { CardLink, SubscriptionLink } from '../subscriptions/subscription-link.ts'
import { findSubscription, listSubscriptions } from '../subscriptions/subscription-queries.ts'
import { associationOf } from '../vault/card-brands.ts'

/** Of one customer, in one letter. */
const SUBSCRIPTIONS_MAX = 100

/** Where letters find what their facts do not say. */
export function letterSources(services: {
  db: Db
  links: Links
  /** Where the dashboard is. */
  dashboardOrigin: string
  subscriptionLink: SubscriptionLink
  cardLink: CardLink
}): LetterSources {
  const { db, links, dashboardOrigin, subscriptionLink, cardLink } = services
  return {
    dashboardLink: (page, code) => `${dashboardOrigin}/dashboard/${page}${code === undefined ? '' : `#${code}`}`,
    customer: async (businessId, id) => (await findRecipient(db, businessId, id)) ?? null,
    card: (businessId, id) => readCard(db, businessId, id),
    payment: (businessId, id) => readPayment(db, businessId, id),
    async subscription(businessId, id) {
      const loaded = await findSubscription(db, businessId, id)
      return loaded ? described(db, loaded.subscription) : null
    },
    async subscriptionsOfCard(businessId, { id, customerId }) {
      const { rows } = await listSubscriptions(
        db,
        { businessId, customerId, status: 'active', passed: [] },
        { limit: SUBSCRIPTIONS_MAX },
      )
      const charged = rows.filter(({ subscription }) => subscription.storedCardId === id)
      return Promise.all(charged.map(({ subscription }) => described(db, subscription)))
    },
    async contract(businessId, id) {
      const found = await findContract(db, businessId, id)
      if (!found) return null
      const { customerId, title, status } = found.contract
      return { customerId, title, isSent: status === 'sent' }
    },
    contractLink: subscriptionLink,
    subscriptionLink,
    newCardLink: cardLink,
    logoUrl: (business: Business) => logoUrl(business, links),
    attemptsMax: ATTEMPTS_MAX,
  }
}

async function readCard(db: Db, businessId: string, id: string): Promise<LetterCard | null> {
  const card = await findBilledCard(db, businessId, id)
  if (!card) return null
  const { customerId, last4, expMonth, expYear, brand: brandCode } = card
  const isChargeable = card.detachedAt === null && card.chargeBlock === null
  return { customerId, brand: associationOf(brandCode), brandCode, last4, expMonth, expYear, isChargeable }
}

async function readPayment(db: Db, businessId: string, id: string): Promise<LetterPayment | null> {
  const found = await findPaymentForLetter(db, businessId, id)
  if (!found) return null
  const { brand: brandCode, last4 } = found.card
  const card = brandCode === null || last4 === null ? null : { brandCode, last4, brand: associationOf(brandCode) }
  return { ...found, card }
}

async function described(db: Db, subscription: Subscription): Promise<LetterSubscription> {
  const { businessId, items, cadence, checkoutSessionId, storedCardId } = subscription
  const prices = await findPrices(
    db,
    businessId,
    items.map(({ priceId }) => priceId),
  )
  const names = await findProductNames(
    db,
    businessId,
    [...prices.values()].map(({ productId }) => productId),
  )
  const lines = items.flatMap(({ priceId, quantity }) => {
    const price = prices.get(priceId)
    return price ? [{ name: names.get(price.productId) ?? '', quantity, unitAmount: price.unitAmount }] : []
  })
  return {
    ...subscription,
    description: lines
      .map(({ name, quantity }) => (quantity === 1 ? name : `${name}\u00a0×\u00a0${quantity}`))
      .join(', '),
    lines,
    interval: cadence.interval,
    intervalCount: cadence.count,
    hasMerchantCard: storedCardId !== null && checkoutSessionId === null,
  }
}
