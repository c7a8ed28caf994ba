import type { DashboardClient } from './dashboard.ts'
import type { Furnished } from './furnished.ts'

// Changes that are possible in a business with one object of every kind, for the audit log (DEF-17).

export interface Change {
  name: string
  body?: object
  /** Where to read the version that an edit needs: an object, or a list that contains it. */
  versionOf?: string
}

/** Ids that the changes need in addition to those of `furnish`. */
export interface ChangeIds extends Furnished {
  /** Id of a support member. */
  colleague: string
  /** Id of a succeeded payment that is not refunded. */
  paid: string
  /** Id of a session that waits for its payer. */
  pending: string
}

/** Finds the further ids with calls of an owner. */
export async function changeIds(owner: DashboardClient, ids: Furnished, colleague: string): Promise<ChangeIds> {
  const first = async (name: string, query: Record<string, string>): Promise<string> =>
    (await owner.call(name, { query })).body.data[0]?.id ?? ''
  const paid = await first('GET /payments', { status: 'succeeded', kind: 'session' })
  return { ...ids, colleague, paid, pending: await first('GET /checkout_sessions', { status: 'PENDING' }) }
}

export async function bodyOf(owner: DashboardClient, { name, body = {}, versionOf }: Change): Promise<object> {
  if (versionOf === undefined) return body
  const { version, data = [] } = (await owner.call(`GET ${versionOf}`)).body
  const listed = data.find(({ id }: { id: string }) => name.includes(id))
  return { ...body, version: version ?? listed?.version }
}

const EXPORTED = [
  ...['payments', 'customers', 'subscriptions', 'batches', 'audit', 'checkout_sessions', 'operations', 'products'],
  ...['prices', 'contracts', 'events', 'refusals'],
]

/** Returns the changes. Later ones end objects that earlier ones need. */
export function changesOf(ids: ChangeIds): Change[] {
  return [
    ...settingsChanges(ids),
    ...teamChanges(ids),
    ...catalogChanges(ids),
    ...contractChanges(ids),
    ...credentialChanges(ids),
    ...webhookChanges(ids),
    ...moneyChanges(ids),
    ...subscriptionChanges(ids),
    ...EXPORTED.map((list): Change => ({ name: `POST /${list}/export` })),
  ]
}

const pathOf = (ids: ChangeIds, kind: string) => `/${kind}/${ids[kind]}`

function settingsChanges(ids: ChangeIds): Change[] {
  const view = pathOf(ids, 'views')
  return [
    { name: 'PATCH /settings', body: { support_phone: '+1 514 555 0100' }, versionOf: '/settings' },
    { name: 'PATCH /settings/letters', body: { sender_name: 'Shop' }, versionOf: '/settings' },
    { name: 'PATCH /branding', body: { brand_color: '#7a1fa2' }, versionOf: '/settings' },
    { name: 'PATCH /settings/limits', body: { customer_export_rows: 5_000 }, versionOf: '/settings/limits' },
    { name: 'POST /settings/letters/test', body: { letter: 'customer.refund', locale: 'en' } },
    { name: 'POST /views', body: { list: 'payments', name: 'Failed', query: { status: 'failed' } } },
    { name: `PATCH ${view}`, body: { is_shared: true } },
    { name: `DELETE ${view}` },
  ]
}

function teamChanges(ids: ChangeIds): Change[] {
  const member = `/team/members/${ids.colleague}`
  return [
    { name: 'POST /team/invitations', body: { email: 'audited@shop.example', role: 'support' } },
    { name: `DELETE ${pathOf(ids, 'team/invitations')}` },
    { name: `PATCH ${member}`, body: { role: 'analyst' }, versionOf: '/team' },
    { name: `POST ${member}/reset-factors` },
    { name: `DELETE ${member}` },
  ]
}

function catalogChanges(ids: ChangeIds): Change[] {
  const [product, price, customer] = [pathOf(ids, 'products'), pathOf(ids, 'prices'), pathOf(ids, 'customers')]
  return [
    { name: 'POST /products', body: { name: 'Tea' } },
    { name: `PATCH ${product}`, body: { name: 'Green tea' }, versionOf: product },
    { name: 'POST /prices', body: { product: ids.products, unit_amount: 100 } },
    { name: `PATCH ${price}`, body: { nickname: 'Small' }, versionOf: `/prices?product=${ids.products}` },
    { name: 'POST /customers', body: { email: 'customer@shop.example', name: 'Audited' } },
    { name: `PATCH ${customer}`, body: { phone: '1' }, versionOf: customer },
    { name: `POST ${customer}/card_request`, body: { by: 'link' } },
    { name: `POST ${customer}/revoke_card_links` },
    { name: 'POST /checkout_sessions', body: { amount_total: 100, customer_email: 'payer@shop.example' } },
    { name: `POST /checkout_sessions/${ids.pending}/show_link` },
    { name: `POST /checkout_sessions/${ids.pending}/cancel` },
  ]
}

function contractChanges(ids: ChangeIds): Change[] {
  const contract = pathOf(ids, 'contracts')
  return [
    { name: 'POST /contracts', body: { customer: ids.customers, title: 'More terms', text: 'I agree.' } },
    { name: `POST ${contract}/send` },
    { name: `POST ${contract}/resend` },
    { name: `POST ${contract}/show_link` },
    { name: `POST ${contract}/void` },
  ]
}

function credentialChanges(ids: ChangeIds): Change[] {
  const [key, client, googlePayKey] = ['api_keys', 'oauth_clients', 'google_pay_keys'].map((kind) => pathOf(ids, kind))
  return [
    { name: 'POST /api_keys', body: { name: 'Audited', allowed_ips: ['127.0.0.1'] } },
    { name: `POST ${key}/rotate`, body: { allowed_ips: ['127.0.0.1'], overlap_hours: 1 } },
    { name: `POST ${key}/revoke` },
    { name: 'POST /oauth_clients', body: { name: 'Audited', redirect_url: 'https://a.example/x' } },
    { name: `PATCH ${client}`, body: { name: 'Renamed' }, versionOf: '/oauth_clients' },
    { name: `POST ${client}/rotate_secret` },
    { name: `POST ${client}/end_tokens` },
    { name: `POST ${client}/revoke` },
    { name: 'POST /allowed_ips', body: { address: '192.0.2.77' } },
    { name: 'POST /allowed_ips/remove', body: { address: '192.0.2.77' } },
    { name: 'POST /google_pay_keys' },
    { name: `POST ${googlePayKey}/retire` },
  ]
}

function webhookChanges(ids: ChangeIds): Change[] {
  const endpoint = pathOf(ids, 'webhook_endpoints')
  return [
    { name: 'POST /webhook_endpoints', body: { url: 'https://shop.example/other', enabled_events: ['*'] } },
    { name: `PATCH ${endpoint}`, body: { description: 'Of the shop' }, versionOf: endpoint },
    { name: `POST ${endpoint}/test` },
    { name: `POST ${endpoint}/redeliver`, body: { since: 0 } },
    { name: `POST ${pathOf(ids, 'events')}/redeliver`, body: { webhook_endpoint: ids.webhook_endpoints } },
    { name: `POST ${endpoint}/deliveries/export` },
    { name: `POST ${endpoint}/rotate_secret` },
    { name: `POST ${pathOf(ids, 'letters')}/resend` },
    { name: `DELETE ${endpoint}` },
  ]
}

function moneyChanges(ids: ChangeIds): Change[] {
  const sale = { customer: ids.customers, payment_method: ids.payment_methods }
  return [
    { name: 'POST /sales', body: { ...sale, amount: 2_000 } },
    { name: `POST /payments/${ids.paid}/refunds`, body: { reason: 'requested', amount: 100 } },
    { name: `POST ${pathOf(ids, 'operations')}/inquire` },
    { name: 'POST /test_clock/advance', body: { seconds: 1 } },
  ]
}

function subscriptionChanges(ids: ChangeIds): Change[] {
  const subscription = pathOf(ids, 'subscriptions')
  const { customers: customer, payment_methods: payment_method, prices: price } = ids
  return [
    { name: 'POST /subscriptions', body: { customer, payment_method, price } },
    { name: `PATCH ${subscription}`, body: { reference: 'A-1' }, versionOf: subscription },
    { name: `POST ${subscription}/link` },
    { name: `POST ${subscription}/show_link` },
    { name: `POST ${subscription}`, body: { cancel_at_period_end: true } },
    { name: `POST ${subscription}`, body: { cancel_at_period_end: false } },
    { name: `POST ${subscription}/pause`, body: { mode: 'period_end' } },
    { name: `POST ${subscription}/pause-at-period-end/undo` },
    { name: `DELETE ${subscription}` },
    { name: `POST ${pathOf(ids, 'payment_methods')}/detach` },
  ]
}
