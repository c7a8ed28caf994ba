import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import type { LoadedSubscription } from '../../server/subscriptions/subscription.ts'
import { findSubscription } from '../../server/subscriptions/subscription-queries.ts'
import type { MerchantApiClient } from './merchant-api.ts'
import { moneyRows } from './money-rows.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Cards that are declined or get no response when they are verified. */
export const VERIFIED_CARDS = { declined: '4000990000045009', silent: '4000990000046007' }

/** Returns what a merchant's server sends for a plan of 25.50 a month. */
export function planInput(input: Record<string, unknown> = {}, subscription: Record<string, unknown> = {}) {
  return {
    mode: 'subscription',
    line_items: [{ name: 'Tea of the month', quantity: 1, unit_amount: 25.5, total: 25.5 }],
    subscription: { interval: 'Monthly', name: 'Tea', ...subscription },
    ...input,
  }
}

/** Returns the subscription that a session has begun. */
export async function signedUp(
  { app, demo }: Pick<TestService, 'app' | 'demo'>,
  id: string,
): Promise<LoadedSubscription> {
  const found = await findSubscription(app.services.db, demo.business_id, id)
  if (!found) throw new Error(`There is no subscription ${id}`)
  return found
}

/** Creates a subscription that waits for its card, and returns its object, with `checkout_url`. */
export async function waitingSubscription(api: MerchantApiClient, more: Record<string, unknown> = {}) {
  const { id: customer } = await api.made('/customers', { name: 'Ana Roy' })
  const { id: product } = await api.made('/products', { name: 'Gold plan' })
  const { id: price } = await api.made('/prices', { product, unit_amount: 2500, recurring: { interval: 'month' } })
  return api.made('/subscriptions', { customer, price, ...more })
}

/** Opens the link of a subscription. @returns the token of its session */
export async function openedLink(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null) throw new Error(`The link responded ${response.status}`)
  return new URL(location).pathname.split('/').at(-1) ?? ''
}

/** Runs recovery until no outcome is open. */
export async function resolveAll({ app, databaseUrl }: Pick<TestService, 'app' | 'databaseUrl'>): Promise<void> {
  await using book = moneyRows(databaseUrl)
  await until('every outcome is final', async () => {
    await resolveOperations(app.services)
    return (await book.countOpen()) === 0
  })
}
