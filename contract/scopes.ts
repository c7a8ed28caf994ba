import { may, type Permission, type Role } from './permissions.ts'

// What a merchant's server may do with its secret key or access token. The server's routes read this table, and so do
// the pages, in order to offer only what the role of the key's creator allows (ACC-76).

/** Dashboard permissions that each scope requires; they decide who may grant the scope to a key or a client. */
const NEEDS = {
  'customers:read': ['customers.read'],
  'customers:write': ['customers.write', 'cards.detach'],
  'catalog:read': ['catalog.read'],
  'catalog:write': ['catalog.write'],
  'checkout_sessions:read': ['payments.read'],
  'checkout_sessions:write': ['sessions.write'],
  'subscriptions:read': ['subscriptions.read'],
  'subscriptions:write': ['subscriptions.write'],
  'payments:read': ['payments.read'],
  'batches:read': ['batches.read'],
  'events:read': ['events.read'],
  'events:write': ['events.redeliver'],
  'webhooks:read': ['webhooks.read'],
  'webhooks:write': ['webhooks.write'],
  // A server is not asked to prove who it is and has no limit of amounts, so both permissions belong to the scope.
  refunds: ['payments.refund', 'payments.refund_over_limit'],
  voids: ['payments.void'],
  sell: ['payments.sell'],
  settle: ['batches.settle'],
  'test_clock:read': ['test.use'],
  'test_clock:write': ['test.use'],
} as const satisfies Record<string, readonly Permission[]>

export type Scope = keyof typeof NEEDS
export const SCOPES = Object.keys(NEEDS) as Scope[]

/** What each scope allows, as described in the reference. */
export const SCOPE_TEXTS: Record<Scope, string> = {
  'customers:read': 'Read customers and their stored cards.',
  'customers:write': 'Create and change customers, detach their cards.',
  'catalog:read': 'Read products and prices.',
  'catalog:write': 'Create and change products and prices.',
  'checkout_sessions:read': 'Read checkout sessions.',
  'checkout_sessions:write': 'Create and cancel checkout sessions, create browser tokens.',
  'subscriptions:read': 'Read subscriptions, preview a pause and a resume.',
  'subscriptions:write': 'Create, change, pause, resume and cancel subscriptions. Their first charge follows.',
  'payments:read': 'Read payments of subscriptions, and refunds.',
  'batches:read': 'Read batches, their payments and the open balance.',
  'events:read': 'Read events and their deliveries.',
  'events:write': 'Deliver events again.',
  'webhooks:read': 'Read webhook endpoints.',
  'webhooks:write': 'Create, change, test and delete webhook endpoints.',
  refunds: 'Refund payments.',
  voids: 'Void payments.',
  sell: 'Charge stored cards.',
  settle: 'Settle the open batch.',
  'test_clock:read': 'Staging: read the test clock.',
  'test_clock:write': 'Staging: advance the test clock.',
}

type Environment = Parameters<typeof may>[2]

/** Returns the scopes that a person with this role may grant to a key or a client, in the order of `SCOPES`. */
export const scopesOf = (role: Role, environment: Environment): Scope[] =>
  SCOPES.filter((scope) => NEEDS[scope].every((permission) => may(role, permission, environment)))

export const isScope = (text: string): text is Scope => Object.hasOwn(NEEDS, text)

/** Returns the scopes of the first list that all other lists contain too; `null` instead of a list sets no limit. */
export function scopesWithin(first: readonly string[], ...others: (readonly string[] | null)[]): Scope[] {
  return first.filter(isScope).filter((scope) => others.every((list) => list === null || list.includes(scope)))
}
