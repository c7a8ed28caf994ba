import { findPrices } from '../../catalog/price-queries.ts'
import { findProductNames } from '../../catalog/product-queries.ts'
import { UNPAID } from '../../checkout/sessions/new-session.ts'
import { SESSION_LIFETIME_SECONDS, type Session } from '../../checkout/sessions/session.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import type { Subscription } from '../subscription.ts'
import { intervalOf } from './interval.ts'

/**
 * Returns a session to enter the card of a subscription that waits for it. It does not belong to an OAuth client, and
 * no shop waits for the payer to return.
 *
 * @param now in the business's time
 */
export async function linkSession(
  { db, links }: { db: Db; links: Links },
  subscription: Subscription,
  { tokenKeyId, now }: { tokenKeyId: string; now: Date },
): Promise<Session> {
  const { businessId, taxAmount, surchargeRatePpm, surchargeAmount, amount } = subscription
  const lineItems = await itemsOf(db, subscription)
  const taxed = (amount - surchargeAmount) as Cents
  return {
    ...UNPAID,
    businessId,
    id: newId(),
    clientId: null,
    tokenKeyId,
    uiMode: 'hosted',
    mode: 'subscription',
    currency: subscription.currency,
    amountTotal: taxed,
    amountSubtotal: taxAmount > 0 ? ((taxed - taxAmount) as Cents) : null,
    amountTax: taxAmount > 0 ? taxAmount : null,
    amountDiscount: null,
    surchargeRateBp: null,
    customerId: subscription.customerId,
    customerEmail: null,
    customerNamedBy: 'merchant',
    customerName: null,
    successUrl: null,
    cancelUrl: null,
    parentOrigin: new URL(links.dashboardUrl).origin,
    description: null,
    clientReferenceId: null,
    metadata: null,
    lineItems,
    discounts: null,
    billingAddressCollection: null,
    shippingAddressCollection: null,
    consentCollection: null,
    subscription: {
      interval: intervalOf(subscription.cadence),
      start_date: subscription.startDate,
      time_zone: subscription.timeZone,
      name: lineItems.length === 1 ? (lineItems[0]?.name ?? null) : null,
      surcharge: surchargeRatePpm ? { rate_ppm: surchargeRatePpm, amount: surchargeAmount } : null,
    },
    subscriptionId: subscription.id,
    createdAt: now,
    expiresAt: addSeconds(now, SESSION_LIFETIME_SECONDS),
  }
}

/**
 * Returns a session that replaces the card of a subscription. It shows what each payment is for, and charges nothing.
 *
 * @param now in the business's time
 * @see SUB-48
 */
export async function cardSession(
  services: { db: Db; links: Links },
  subscription: Subscription,
  given: { tokenKeyId: string; now: Date },
): Promise<Session> {
  const session = await linkSession(services, subscription, given)
  const names = (session.lineItems ?? []).map((item) => item.name).join(', ')
  return {
    ...session,
    amountTotal: subscription.amount,
    amountSubtotal: null,
    amountTax: null,
    lineItems: null,
    subscription: {
      interval: intervalOf(subscription.cadence),
      start_date: null,
      name: names,
      surcharge: null,
      replaces_card: true,
    },
  }
}

async function itemsOf(db: Db, { businessId, items }: Subscription): Promise<NonNullable<Session['lineItems']>> {
  const prices = await findPrices(
    db,
    businessId,
    items.map(({ priceId }) => priceId),
  )
  const products = await findProductNames(
    db,
    businessId,
    [...prices.values()].map(({ productId }) => productId),
  )
  return items.flatMap(({ priceId, quantity }) => {
    const price = prices.get(priceId)
    if (!price) return []
    const total = (price.unitAmount * quantity) as Cents
    const name = products.get(price.productId) ?? ''
    return [{ name, quantity, unit_amount: decimalFromCents(price.unitAmount), total: decimalFromCents(total) }]
  })
}
