import { findPrices } from '../catalog/price-queries.ts'
import type { Db } from '../db/connection.ts'
import { contractObject } from './contract.ts'
import type { LoadedSubscription } from './subscription.ts'
import type { SubscriptionLink } from './subscription-link.ts'
import { type SubscriptionDetails, subscriptionObject } from './subscription-object.ts'

export interface DetailServices {
  db: Db
  /** Absent where the customer never has anything to do: bills, recovery. */
  subscriptionLink?: SubscriptionLink
}

/** Reads what the objects of these subscriptions show beyond their own rows. All belong to one business. */
export async function readDetails(
  { db, subscriptionLink }: DetailServices,
  subscriptions: readonly LoadedSubscription[],
): Promise<(one: LoadedSubscription) => SubscriptionDetails> {
  const businessId = subscriptions[0]?.subscription.businessId
  const ids = new Set(subscriptions.flatMap(({ subscription }) => subscription.items.map(({ priceId }) => priceId)))
  const prices = businessId === undefined ? new Map() : await findPrices(db, businessId, [...ids])
  return ({ subscription, contract }) => {
    const isWaiting = subscription.status === 'pending_payment_method'
    const signUrl = (contract && subscriptionLink?.(contract)) || null
    const linked = contract ? contractObject(contract, signUrl) : null
    return { prices, contract: linked, checkoutUrl: (isWaiting && subscriptionLink?.(subscription)) || null }
  }
}

/** Returns the API object of one subscription. */
export async function readObject(services: DetailServices, one: LoadedSubscription) {
  return subscriptionObject(one, (await readDetails(services, [one]))(one))
}
