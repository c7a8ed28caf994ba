import type { LoadedSubscription } from '../../server/subscriptions/subscription.ts'
import { findSubscription } from '../../server/subscriptions/subscription-queries.ts'
import type { TestService } from './service.ts'

/** What a merchant's server sends for a plan of 25.50 a month. */
export function planInput(input: Record<string, unknown> = {}, subscription: Record<string, unknown> = {}) {
  return {
    mode: 'subscription',
    line_items: [{ name: 'Tea of the month', quantity: 1, unit_amount: 25.5, total: 25.5 }],
    subscription: { interval: 'Monthly', name: 'Tea', ...subscription },
    ...input,
  }
}

/** The subscription that a session has begun. */
export async function signedUp({ app, demo }: TestService, id: string): Promise<LoadedSubscription> {
  const found = await findSubscription(app.services.db, demo.business_id, id)
  if (!found) throw new Error(`There is no subscription ${id}`)
  return found
}
