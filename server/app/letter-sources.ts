import DataLoader from 'dataloader'
import { type Business, businessNow } from '../businesses/business.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import type { Price } from '../catalog/price.ts'
import { findPrices } from '../catalog/price-queries.ts'
import { findProductNames } from '../catalog/product-queries.ts'
import { logoUrl } from '../checkout/form/logo-route.ts'
import { isLive, newCustomerCardLink } from '../checkout/sessions/customer-card-link.ts'
import { findCustomerCardLink, insertCustomerCardLinks } from '../checkout/sessions/customer-card-link-queries.ts'
import type { Links } from '../checkout/sessions/session-view.ts'
import { findBilledCards } from '../customers/billed-card-queries.ts'
import { findRecipients } from '../customers/customer-queries.ts'
import type { Db } from '../db/connection.ts'
import type {
  LetterCard,
  LetterPayment,
  LetterSources,
  LetterSubscription,
  OpenLetterSources,
} from '../emails/compose/letter-sources.ts'
import type { Clock } from '../lib/clock.ts'
import { findPaymentsForLetters } from '../payments/letter-payment-queries.ts'
import { findContract } from '../subscriptions/contracts/contract-queries.ts'
import { ATTEMPTS_MAX } from '../subscriptions/plan/retries.ts'
import type { LoadedSubscription, Subscription } from '../subscriptions/subscription.ts'
import { findSubscriptions, listSubscriptions } from '../subscriptions/subscription-queries.ts'
import { associationOf } from '../vault/card-brands.ts'

/** Maximum number of a customer's subscriptions in one letter. */
const SUBSCRIPTIONS_MAX = 100

interface SourceServices {
  db: Db
  clock: Clock
  links: Links
  /** Origin of the dashboard. */
  dashboardOrigin: string
}

/** Returns the sources of what the facts of letters do not contain. */
export const letterSources =
  (services: SourceServices): OpenLetterSources =>
  (businessId) =>
    sourcesOf(services, businessId)

function sourcesOf({ db, clock, links, dashboardOrigin }: SourceServices, businessId: string): LetterSources {
  return {
    dashboardLink: (page, code) => `${dashboardOrigin}/dashboard/${page}${code === undefined ? '' : `#${code}`}`,
    customer: readTogether((ids) => findRecipients(db, businessId, ids)),
    card: readTogether((ids) => readCards(db, businessId, ids)),
    payment: readTogether((ids) => readPayments(db, businessId, ids)),
    subscription: readTogether(async (ids) => described(db, businessId, await findSubscriptions(db, businessId, ids))),
    async subscriptionsOfCard({ id, customerId }) {
      const which = { businessId, customerId, status: 'active' as const, passed: [] }
      const { rows } = await listSubscriptions(db, which, { limit: SUBSCRIPTIONS_MAX })
      const charged = rows.filter(({ subscription }) => subscription.storedCardId === id)
      return [...(await described(db, businessId, charged)).values()]
    },
    async contract(id) {
      const found = await findContract(db, businessId, id)
      if (!found) return null
      const { customerId, title, status } = found.contract
      return { customerId, title, isSent: status === 'sent' }
    },
    newCardLink: ({ id: subscriptionId, customerId }, at) =>
      newCustomerCardLink({ businessId, customerId, subscriptionId }, at),
    recordCardLinks: (tx, made) =>
      insertCustomerCardLinks(
        tx,
        made.map((link) => ({ ...link, businessId })),
      ),
    async customerCardLink(id) {
      const [link, business] = await Promise.all([
        findCustomerCardLink(db, { businessId, id }),
        findBusiness(db, businessId),
      ])
      return link && business && { expiresAt: link.expiresAt, isLive: isLive(link, businessNow(clock, business)) }
    },
    logoUrl: (business: Business) => logoUrl(business, links),
    attemptsMax: ATTEMPTS_MAX,
  }
}

/** Reads what is requested at the same time by one statement, and each row once. */
function readTogether<Value>(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
  const loader = new DataLoader<string, Value | null>(async (ids) => {
    const found = await read(ids)
    return ids.map((id) => found.get(id) ?? null)
  })
  return (id: string) => loader.load(id)
}

async function readCards(db: Db, businessId: string, ids: readonly string[]): Promise<Map<string, LetterCard>> {
  const cards = await findBilledCards(
    db,
    ids.map((id) => ({ businessId, id })),
  )
  const shown = [...cards.values()].map((card): [string, LetterCard] => {
    const { id, customerId, last4, expMonth, expYear, brand: brandCode } = card
    const isChargeable = card.detachedAt === null && card.chargeBlock === null
    return [id, { customerId, brand: associationOf(brandCode), brandCode, last4, expMonth, expYear, isChargeable }]
  })
  return new Map(shown)
}

async function readPayments(db: Db, businessId: string, ids: readonly string[]): Promise<Map<string, LetterPayment>> {
  const payments = await findPaymentsForLetters(db, businessId, ids)
  const shown = payments.map(({ card: { brand: brandCode, last4 }, ...payment }): [string, LetterPayment] => {
    const card = brandCode === null || last4 === null ? null : { brandCode, last4, brand: associationOf(brandCode) }
    return [payment.id, { ...payment, card }]
  })
  return new Map(shown)
}

/** Returns descriptions by id, in the given order. */
async function described(
  db: Db,
  businessId: string,
  loaded: readonly LoadedSubscription[],
): Promise<Map<string, LetterSubscription>> {
  const priceIds = loaded.flatMap(({ subscription }) => subscription.items.map(({ priceId }) => priceId))
  const prices = await findPrices(db, businessId, [...new Set(priceIds)])
  const productIds = [...prices.values()].map(({ productId }) => productId)
  const names = await findProductNames(db, businessId, [...new Set(productIds)])
  return new Map(loaded.map(({ subscription }) => [subscription.id, describe(subscription, prices, names)]))
}

function describe(
  subscription: Subscription,
  prices: ReadonlyMap<string, Price>,
  names: ReadonlyMap<string, string>,
): LetterSubscription {
  const { items, cadence, checkoutSessionId, storedCardId } = subscription
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
