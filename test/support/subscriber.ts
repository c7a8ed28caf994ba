import { newId } from '../../server/lib/ids.ts'
import { type MerchantApiClient, merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'
import { storeCard } from './stored-card.ts'

/** A customer with a stored card, and a recurring price to subscribe to. */
export interface Subscriber {
  api: MerchantApiClient
  customer: string
  payment_method: string
  product: string
  price: string
}

/** @param card the card number; an approved one by default */
export async function makeSubscriber(
  service: TestService,
  { card, price = {} }: { card?: string; price?: Record<string, unknown> } = {},
): Promise<Subscriber> {
  const api = merchantApiOf(service)
  const stored = await storeCard(service, `${newId()}@example.com`, card === undefined ? {} : { cardNumber: card })
  const { id: product } = await api.made('/products', { name: 'Gold plan' })
  const recurring = { interval: 'month' }
  const { id } = await api.made('/prices', { product, unit_amount: 2500, recurring, ...price })
  return { api, customer: stored.customerId, payment_method: stored.cardId, product, price: id }
}

/** The body of a create with a card and a start today, with the given changes. */
export function subscriptionBody(
  { customer, payment_method, price }: Subscriber,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { customer, payment_method, price, ...more }
}
