// What people may do in the dashboard. The server's routes read this table, and so do the pages, in order to show only
// what the person may do (DSH-2, DSH-14).

export const ROLES = ['owner', 'admin', 'developer', 'support', 'analyst'] as const
export type Role = (typeof ROLES)[number]

interface Grant {
  roles: readonly Role[]
  /** Roles that also have the permission in staging. */
  inStaging?: readonly Role[]
  /** In production nobody has the permission. */
  stagingOnly?: true
}

const everyone: Grant = { roles: ROLES }
const owners: Grant = { roles: ['owner'] }
const administrators: Grant = { roles: ['owner', 'admin'] }
const developers: Grant = { roles: ['owner', 'admin', 'developer'] }
const support: Grant = { roles: ['owner', 'admin', 'support'] }
const supportOrTesters: Grant = { ...support, inStaging: ['developer'] }

const GRANTS = {
  'home.read': everyone,
  'payments.read': everyone,
  'customers.read': everyone,
  'subscriptions.read': everyone,
  'catalog.read': everyone,
  'batches.read': everyone,
  'contracts.read': everyone,
  'events.read': everyone,
  'webhooks.read': everyone,
  'settings.read': everyone,
  'team.read': everyone,
  'payments.refund': support,
  'payments.void': support,
  'payments.refund_over_limit': administrators,
  'payments.sell': support,
  'payments.inquire': support,
  'subscriptions.retry': support,
  'sessions.write': supportOrTesters,
  'customers.write': supportOrTesters,
  'cards.detach': supportOrTesters,
  'subscriptions.write': supportOrTesters,
  'catalog.write': developers,
  'batches.settle': administrators,
  'contracts.write': support,
  'webhooks.write': developers,
  'events.redeliver': developers,
  'requests.read': developers,
  'addresses.write': developers,
  'clients.write': developers,
  'keys.write': developers,
  'export.payments': { roles: ['owner', 'admin', 'developer', 'analyst'] },
  'export.customers': administrators,
  'settings.write': administrators,
  'branding.write': administrators,
  'letters.write': administrators,
  'limits.write': owners,
  'ownership.transfer': owners,
  'team.write': administrators,
  'audit.read': administrators,
  'audit.read_own': everyone,
  'test.use': { roles: ['owner', 'admin', 'developer', 'support'], stagingOnly: true },
} as const satisfies Record<string, Grant>

export type Permission = keyof typeof GRANTS
export const PERMISSIONS = Object.keys(GRANTS) as Permission[]

type Environment = 'staging' | 'production'

/** Returns the roles that have a permission, in the order of `ROLES`. */
export function rolesWith(permission: Permission, environment: Environment): Role[] {
  const grant: Grant = GRANTS[permission]
  if (grant.stagingOnly && environment === 'production') return []
  const more = environment === 'staging' ? (grant.inStaging ?? []) : []
  return ROLES.filter((role) => grant.roles.includes(role) || more.includes(role))
}

export function may(role: Role, permission: Permission, environment: Environment): boolean {
  return rolesWith(permission, environment).includes(role)
}
