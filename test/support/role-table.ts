import { type Permission, ROLES, type Role } from '../../contract/permissions.ts'

/** The table of the specification in a second form: owner, admin, developer, support, analyst. `d`: in staging only. */
export const ROLE_TABLE: Record<Permission, string> = {
  'home.read': 'OADSN',
  'payments.read': 'OADSN',
  'customers.read': 'OADSN',
  'subscriptions.read': 'OADSN',
  'catalog.read': 'OADSN',
  'batches.read': 'OADSN',
  'contracts.read': 'OADSN',
  'events.read': 'OADSN',
  'webhooks.read': 'OADSN',
  'settings.read': 'OADSN',
  'team.read': 'OADSN',
  'payments.refund': 'OAS',
  'payments.void': 'OAS',
  'payments.refund_over_limit': 'OA',
  'payments.sell': 'OAS',
  'payments.inquire': 'OAS',
  'subscriptions.retry': 'OAS',
  'sessions.write': 'OAdS',
  'customers.write': 'OAdS',
  'cards.detach': 'OAdS',
  'subscriptions.write': 'OAdS',
  'catalog.write': 'OAD',
  'batches.settle': 'OA',
  'contracts.write': 'OAS',
  'webhooks.write': 'OAD',
  'events.redeliver': 'OAD',
  'requests.read': 'OAD',
  'addresses.write': 'OAD',
  'clients.write': 'OAD',
  'keys.write': 'OAD',
  'export.payments': 'OADN',
  'export.customers': 'OA',
  'settings.write': 'OA',
  'branding.write': 'OA',
  'letters.write': 'OA',
  'limits.write': 'O',
  'ownership.transfer': 'O',
  'team.write': 'OA',
  'audit.read': 'OA',
  'audit.read_own': 'OADSN',
  'test.use': 'oads',
}
const LETTERS: Record<Role, string> = { owner: 'O', admin: 'A', developer: 'D', support: 'S', analyst: 'N' }

export function rolesInTable(permission: Permission, environment: 'staging' | 'production'): Role[] {
  const letters = environment === 'staging' ? ROLE_TABLE[permission].toUpperCase() : ROLE_TABLE[permission]
  return ROLES.filter((role) => letters.includes(LETTERS[role]))
}
