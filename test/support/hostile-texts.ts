import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../server/db/connection.ts'
import type { TestService } from './service.ts'
import { XSS_PAYLOADS } from './xss-payloads.ts'

/** Columns that merchants, payers, receivers and gateways fill in, and that pages of the dashboard show. */
const FIELDS: Record<string, readonly string[]> = {
  business: [
    'name',
    'legal_name',
    'postal_address',
    'tax_registrations',
    'sender_name',
    'support_email',
    'support_phone',
  ],
  customer: ['name', 'phone'],
  stored_card: ['name_on_card'],
  product: ['name', 'description'],
  price: ['nickname'],
  checkout_session: [
    'description',
    'client_reference_id',
    'payer_name',
    'payer_email',
    'customer_email',
    'payer_phone',
    'customer_name',
    'cancel_reason',
  ],
  operation: ['message', 'gateway_ref', 'issuer_reference'],
  payment: ['message', 'issuer_reference'],
  subscription: ['cancellation_comment', 'cancellation_reason'],
  contract: ['title', 'body', 'signed_name'],
  webhook_endpoint: ['description'],
  event: [],
  webhook_attempt: ['response_body', 'error'],
  letter: ['subject', 'body_text', 'sender_name', 'last_error'],
  api_key: ['name'],
  oauth_client: ['name'],
  saved_view: ['name'],
  batch: ['settlement_reference', 'gateway_batch'],
  refused_request: ['param'],
  invitation: ['email'],
  subscription_pause: ['reason', 'refund_note', 'refund_reference'],
  reconciliation_finding: ['gateway_ref', 'note'],
}

const TEXT = XSS_PAYLOADS.join(' ')
const ADDRESS = { line1: TEXT, line2: TEXT, city: TEXT, postal_code: TEXT, country: 'CA', name: TEXT, state: TEXT }
const ITEM = { name: TEXT, quantity: 1, unit_amount: 1, total: 1 }

/** JSON columns in which people and other servers choose texts. */
const DOCUMENTS: Record<string, Record<string, object>> = {
  customer: { metadata: { [TEXT]: TEXT } },
  product: { metadata: { [TEXT]: TEXT } },
  price: { metadata: { [TEXT]: TEXT } },
  subscription: { metadata: { reference: TEXT, [TEXT]: TEXT } },
  checkout_session: {
    metadata: { [TEXT]: TEXT },
    line_items: [ITEM],
    discounts: [{ name: TEXT, code: TEXT, amount: 1 }],
    billing_address: ADDRESS,
    shipping_address: ADDRESS,
  },
  webhook_attempt: { response_headers: { 'x-hostile': TEXT } },
  event: { data: { object: { [TEXT]: TEXT } } },
}

/** Columns whose texts Rialto chooses, or that have a fixed format: codes, states, ids, hashes, URLs of pages. */
const NOT_TYPED = new Set(
  `access_token account_id acquirer_bin acquirer_merchant_id acs_transaction_id action actor_id actor_kind
    after_last_retry auth_user.email avs_policy avs_result batch_close_time billing_address_collection billing_country
    billing_run_local_time billing_state brand brand_color browser_token.customer_email cancel_url card_brand
    card_first6 card_last4 cardholder_info challenge_url challenge_window charge_block code color_scheme columns
    consent consent_collection country created_by credential_id credential_kind currency customer.email cvv_policy
    cvv_result data disabled_reason draft ds_transaction_id eci email_folded environment error_code error_component
    expiry_month failure failure_reason fingerprint_key_id first6 first_charge font_stack funding gateway
    gateway_reference.gateway_ref gateway_state google_pay_merchant_id hash html id id_token image interval_unit
    invited_by ip ip_address items job key kind last4 last_decline last_four list locale logo_hash lost_code
    master_key_id media_type merchant_category_code merchant_code merchant_ref message_version method method_url mode
    network_transaction_id object_id object_type origin our_state outcome parent_origin password path payer_ip_prefix
    postal_code privacy_url proof provider_id province purpose query receipt_id recipient refresh_reused_from
    reconciliation_finding.subject recurring_interval redirect_url reference refresh_token reply_to request_id
    requested_by resolved_by response resume_mode role schema_migration.name scope search_text searched seen_on_origin
    server_transaction_id session_id shipping_address_collection signed_ip source state subscription success_url
    surcharge_rounding terms_url time_zone token token_key_id totals trans_status trans_status_reason transaction_kind
    trace type ui_mode unused_time_behavior url user_id verification`.split(/\s+/),
)

/** Columns that `fillPeople` fills. */
const OF_PEOPLE = new Set(['auth_user.name', 'passkey.name', 'auth_session.user_agent', 'audit_entry.user_agent'])
for (const column of ['actor_name', 'before', 'after']) OF_PEOPLE.add(`audit_entry.${column}`)

const MANY = 50

/** Writes payloads into every text of a business: one into each row of a list, all of them across the existing rows. */
export async function fillWithPayloads({ app }: TestService, businessId: string): Promise<void> {
  const { db } = app.services
  const ofBusiness = sql`business_id = ${businessId}::uuid`
  await expectKnownColumns(db)
  await addRows(db, businessId)
  for (const [table, columns] of Object.entries(FIELDS)) {
    const where = table === 'business' ? sql`id = ${businessId}::uuid` : ofBusiness
    const documents = Object.entries(DOCUMENTS[table] ?? {})
    const changes = sql.join([
      ...columns.map((column) => sql`${sql.ref(column)} = ${TEXT}`),
      ...documents.map(([column, value]) => sql`${sql.ref(column)} = ${JSON.stringify(value)}::jsonb`),
    ])
    const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set ${changes} where ${where}`.execute(db)
    if (numAffectedRows === 0n) throw new Error(`The business has no ${table}`)
  }
  await fillPeople(db, businessId)
  const one = sql`(${XSS_PAYLOADS}::text[])[n]`
  const copies: [string, RawBuilder<unknown>][] = [
    [
      'customer',
      sql`'name', ${one}, 'phone', ${one}, 'email', n || '@example.com', 'email_folded', n || '@example.com'`,
    ],
    ['product', sql`'name', ${one}, 'description', ${one}`],
    ['checkout_session', sql`'description', ${one}, 'client_reference_id', ${one}, 'payer_name', ${one}`],
    ['contract', sql`'title', ${one}`],
    ['saved_view', sql`'name', ${one}, 'list', 'payments'`],
  ]
  for (const [table, values] of copies)
    await sql`insert into ${sql.table(table)} select r.* from (select * from ${sql.table(table)} where ${ofBusiness} limit 1) t,
      generate_series(1, ${MANY}::integer) n, jsonb_populate_record(null::${sql.table(table)}, to_jsonb(t) ||
        jsonb_build_object('id', uuidv7(), ${values})) r`.execute(db)
  await sql`insert into operation (business_id, id, kind, state, lost, owner_kind, owner_id, merchant_ref, terminal_id, amount,
      currency, card_brand, card_first6, card_last4, code, lost_code, message, sent_at, deadline_at, finalized_at, declined_at)
    select t.business_id, uuidv7(), 'sale', 'DECLINED', true, 'session', s.id, 'HOSTILE-' || s.n, t.id, 100, t.currency, 'visa',
      '424242', '4242', 'ND', 'ND', (${XSS_PAYLOADS}::text[])[s.n], now(), now(), now(), now()
    from (select id, row_number() over () as n from checkout_session where ${ofBusiness} limit ${MANY}) s,
      (select * from terminal where ${ofBusiness} limit 1) t`.execute(db)
}

/** Fills the names of people and of their browsers, in the audit log too. */
async function fillPeople(db: Db, businessId: string): Promise<void> {
  const members = sql`(select user_id from business_member where business_id = ${businessId}::uuid)`
  await sql`update auth_user set name = ${TEXT} where id in ${members}`.execute(db)
  await sql`insert into passkey (id, user_id, credential_id, public_key, counter, is_synced, name, created_at)
    select uuidv7()::text, user_id, convert_to(user_id, 'UTF8'), '', 0, false, ${TEXT}, now()
    from business_member where business_id = ${businessId}::uuid`.execute(db)
  await sql`update auth_session set user_agent = ${TEXT} where user_id in ${members}`.execute(db)
  await sql`alter table audit_entry disable trigger audit_entry_stays`.execute(db)
  const change = JSON.stringify({ name: TEXT, [TEXT]: TEXT })
  await sql`update audit_entry set actor_name = ${TEXT}, user_agent = ${TEXT}, before = ${change}::jsonb,
      after = ${change}::jsonb where business_id = ${businessId}::uuid`.execute(db)
  await sql`alter table audit_entry enable trigger audit_entry_stays`.execute(db)
}

/** Adds rows that `furnish` does not create: a pause, a signature, deliveries, a refused request, a finding. */
async function addRows(db: Db, businessId: string): Promise<void> {
  await sql`insert into subscription_pause (business_id, id, subscription_id, status, mode, paused_at, created_at,
      refund_confirmed, unused_time_behavior)
    select business_id, uuidv7(), id, 'ended', 'immediate', now(), now(), true, 'external_refund'
    from subscription where business_id = ${businessId}::uuid`.execute(db)
  await sql`update contract set status = 'signed', signed_name = 'x', signed_ip = '::1', signed_at = now()
    where business_id = ${businessId}::uuid`.execute(db)
  await sql`insert into webhook_delivery (business_id, event_id, endpoint_id, object_id, sequence, ordered, status,
      attempts, retries, finished_at)
    select e.business_id, e.id, w.id, e.object_id, e.sequence, false, 'failed', 1, 9, now()
    from event e join webhook_endpoint w on w.business_id = e.business_id where e.business_id = ${businessId}::uuid
    on conflict (business_id, event_id, endpoint_id) do update set status = 'failed', due_at = null`.execute(db)
  await sql`insert into webhook_attempt (business_id, event_id, endpoint_id, number, url, attempted_at, duration_ms,
      response_status)
    select business_id, event_id, endpoint_id, 1, 'https://shop.example', now(), 1, 500
    from webhook_delivery where business_id = ${businessId}::uuid`.execute(db)
  await sql`insert into refused_request (business_id, id, created_at, method, path, status, code, credential_kind,
      credential_id, ip, request_id)
    select business_id, uuidv7(), now(), 'GET', '/api/v1/account', 422, 'parameter_invalid', 'api_key', id, '::1', 'r'
    from api_key where business_id = ${businessId}::uuid`.execute(db)
  await sql`insert into reconciliation_finding (id, business_id, terminal_id, subject, kind, day, transaction_kind,
      merchant_ref, our_amount, gateway_amount, currency, found_at, seen_at)
    select uuidv7(), business_id, id, 'hostile', 'amount_differs', current_date, 'sale', 'R', 100, 200, currency, now(), now()
    from terminal where business_id = ${businessId}::uuid limit 1`.execute(db)
}

/** @throws for a text that is neither filled nor known as one that nobody types */
async function expectKnownColumns(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`.execute(db)
  const isKnown = (table: string, column: string) =>
    FIELDS[table]?.includes(column) ||
    DOCUMENTS[table]?.[column] !== undefined ||
    [column, `${table}.${column}`].some((name) => OF_PEOPLE.has(name) || NOT_TYPED.has(name))
  const unknown = rows.filter(({ table, column }) => !isKnown(table, column))
  if (unknown.length > 0)
    throw new Error(`Not filled: ${unknown.map(({ table, column }) => `${table}.${column}`).join(' ')}`)
}
