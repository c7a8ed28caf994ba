import { newId } from '../../server/lib/ids.ts'
import { merchantOf, payBody, payerOf } from './merchant.ts'
import { type MerchantApiClient, merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'

/** A customer with a stored card, and a recurring price to subscribe to. */
export interface Subscriber {
  api: MerchantApiClient
  customer: string
  payment_method: string
  product: string
  price: string
}

/**
 * Creates a subscriber with only the API, so that the service may be another process.
 *
 * @param card the card number; an approved one by default
 */
export async function makeSubscriber(
  service: Pick<TestService, 'url' | 'demo'>,
  { card, price = {} }: { card?: string; price?: Record<string, unknown> } = {},
): Promise<Subscriber> {
  const api = merchantApiOf(service)
  const { id: customer } = await api.made('/customers', { email: `${newId()}@example.com` })
  const payment_method = await saveCard(service, customer, card)
  const { id: product } = await api.made('/products', { name: 'Gold plan' })
  const recurring = { interval: 'month' }
  const { id } = await api.made('/prices', { product, unit_amount: 2500, recurring, ...price })
  return { api, customer, payment_method, product, price: id }
}

/** Pays a session as the customer and saves the card. @returns its id */
export async function saveCard(
  service: Pick<TestService, 'url' | 'demo'>,
  customer: string,
  card?: string,
): Promise<string> {
  const token = await merchantOf(service).sessionToken({ customer_id: customer, customer_email: undefined })
  const { body } = await payerOf(service).pay(token, payBody(card, { saveCard: true }))
  if (body.ok !== true) throw new Error(`The card was not saved: ${JSON.stringify(body)}`)
  const { data } = (await merchantApiOf(service).get(`/customers/${customer}/payment_methods`)).body
  return data[0].id
}

/** Returns the body of a create with a card and a start today, with the given changes. */
export function subscriptionBody(
  { customer, payment_method, price }: Subscriber,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { customer, payment_method, price, ...more }
}

/** Creates a subscription. @returns its id; its first bill is charged now */
export async function subscribe(subscriber: Subscriber, more: Record<string, unknown> = {}): Promise<string> {
  return (await subscriber.api.made('/subscriptions', subscriptionBody(subscriber, more))).id
}
