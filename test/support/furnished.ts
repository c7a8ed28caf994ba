import { equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import type { DashboardClient } from './dashboard.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

// A business with an object of every kind that a path of the dashboard names.

const PREFIX = '/dashboard/api/b/{business_id}'

/** The id of an object, by the path before it: `team/members`. */
export type Furnished = Record<string, string>

/** Tables of each kind of object. */
const TABLES: Record<string, string> = {
  payments: 'payment',
  operations: 'operation',
  letters: 'letter',
  mailbox: 'letter',
  checkout_sessions: 'checkout_session',
  customers: 'customer',
  payment_methods: 'stored_card',
  products: 'product',
  prices: 'price',
  subscriptions: 'subscription',
  batches: 'batch',
  events: 'event',
  api_keys: 'api_key',
  oauth_clients: 'oauth_client',
  google_pay_keys: 'google_pay_key',
  audit: 'audit_entry',
  'settings/terminals': 'terminal',
}

/** @param owner an owner of the business who has recently stepped up */
export async function furnish(service: TestService, owner: DashboardClient, businessId: string): Promise<Furnished> {
  const made = async (name: string, body: object = {}) => {
    const response = await owner.call(name, { body })
    equal(response.status, 201, `${name} ${JSON.stringify(response.body)}`)
    return response.body.id as string
  }
  equal((await owner.call('POST /test_data')).status, 201)
  // Recovery may reverse an unknown sale between the preview and the settlement.
  await until('the batch is settled as it was shown', async () => {
    const { net_amount } = (await owner.call('POST /batches/current/settle/preview', { body: {} })).body
    const { status } = await owner.call('POST /batches/current/settle', { body: { expected_net_amount: net_amount } })
    if (status === 409) return false
    equal(status, 200)
    return true
  })
  await made('POST /google_pay_keys')
  await composeDue(service.app.services, { businessId })
  const found = await Promise.all(
    Object.entries(TABLES).map(async ([kind, table]) => {
      const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
        where business_id = ${businessId}::uuid ${kind === 'mailbox' ? sql`and invoice_id is not null` : sql``} limit 1`.execute(
        service.app.services.db,
      )
      return [kind, rows[0]?.id ?? ''] as const
    }),
  )
  const ids: Furnished = Object.fromEntries(found)
  const { customer_id } = await service.app.services.db
    .selectFrom('stored_card')
    .select('customer_id')
    .where('id', '=', ids.payment_methods ?? '')
    .executeTakeFirstOrThrow()
  ids.customers = customer_id
  const mail = `${newId()}@shop.example`
  return {
    ...ids,
    contracts: await made('POST /contracts', { customer: ids.customers, title: 'Terms', text: 'I agree.' }),
    webhook_endpoints: await made('POST /webhook_endpoints', {
      url: 'https://shop.example/hook',
      enabled_events: ['*'],
    }),
    views: await made('POST /views', { list: 'payments', name: 'Declined', query: { status: 'failed' } }),
    'branding/drafts': (await owner.call('POST /branding/drafts', { body: { brand_color: '#7a1fa2' } })).body.id,
    'team/members': owner.userId,
    'team/invitations': await made('POST /team/invitations', { email: mail, role: 'support' }),
  }
}

/** Returns the name of a route below a business: `GET /payments/{id}`. */
export const dashboardName = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path.slice(PREFIX.length)}`

export const isOfBusiness = ({ path }: Pick<Route, 'path'>) => path.startsWith(PREFIX)

/** Returns the call of a route about these objects. @throws for a kind of which there is no object */
export function callOf(route: Pick<Route, 'method' | 'path'>, ids: Furnished): string {
  const name = dashboardName(route)
  return name.replace(/(\/[^{]+)\/\{\w+\}/, (_whole, before: string) => {
    const id = ids[before.slice(1)]
    if (!id) throw new Error(`${name}: no test makes one of ${before.slice(1)}`)
    return `${before}/${id}`
  })
}

/** Returns the query that a read requires. */
export function neededQuery(name: string, ids: Furnished): Record<string, string> {
  const days = { from: '2027-01-01', to: '2027-01-31' }
  const queries: Record<string, Record<string, string>> = {
    'GET /bills/upcoming': days,
    'GET /bills/upcoming/day': { day: '2099-01-01' },
    'GET /operations': { open: 'true' },
    'GET /prices': { product: ids.products ?? '' },
    'GET /catalog/figures': { products: ids.products ?? '' },
    'GET /views': { list: 'payments' },
    'GET /settings/letters/preview/html': { letter: 'customer.refund', locale: 'en' },
    'GET /branding/preview': { draft: ids['branding/drafts'] ?? '', locale: 'en', surface: 'hosted', state: 'open' },
    'GET /settings/letters/preview': { letter: 'customer.refund', locale: 'en' },
  }
  return queries[name] ?? {}
}
