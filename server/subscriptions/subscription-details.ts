import { findPrices } from '../catalog/price-queries.ts'
import type { Db } from '../db/connection.ts'
import type { LoadedSubscription } from './subscription.ts'
import { type SubscriptionDetails, subscriptionObject } from './subscription-object.ts'

/** Where a customer enters the card of a subscription, and its contract; plugged in by sign-up. */
export interface DetailServices {
  db: Db
}

/** Reads what the objects of these subscriptions show beyond their own rows. All are of one business. */
export async function readDetails(
  { db }: DetailServices,
  subscriptions: readonly LoadedSubscription[],
): Promise<(one: LoadedSubscription) => SubscriptionDetails> {
  const businessId = subscriptions[0]?.subscription.businessId
  const ids = new Set(subscriptions.flatMap(({ subscription }) => subscription.items.map(({ priceId }) => priceId)))
  const prices = businessId === undefined ? new Map() : await findPrices(db, businessId, [...ids])
  return () => ({ prices, contract: null, checkoutUrl: null })
}

/** The object of one subscription. */
export async function readObject(services: DetailServices, one: LoadedSubscription) {
  return subscriptionObject(one, (await readDetails(services, [one]))(one))
}
