import { type RawBuilder, sql } from 'kysely'
import type { TestService } from './service.ts'
import { XSS_PAYLOADS } from './xss-payloads.ts'

/** What merchants, payers, receivers and gateways fill in, as the pages of the dashboard show it. */
const FIELDS: Record<string, readonly string[]> = {
  business: ['name', 'legal_name', 'postal_address'],
  customer: ['name', 'phone'],
  stored_card: ['name_on_card'],
  product: ['name', 'description'],
  price: ['nickname'],
  checkout_session: [
    'description',
    'client_reference_id',
    'payer_name',
    'payer_email',
    'customer_name',
    'cancel_reason',
  ],
  operation: ['message', 'gateway_ref', 'issuer_reference'],
  payment: ['message', 'issuer_reference'],
  subscription: ['cancellation_comment', 'cancellation_reason'],
  contract: ['title', 'body'],
  webhook_endpoint: ['description'],
  webhook_attempt: ['response_body', 'error'],
  letter: ['subject', 'body_text', 'sender_name', 'last_error'],
  api_key: ['name'],
  oauth_client: ['name'],
  saved_view: ['name'],
  batch: ['settlement_reference', 'gateway_batch'],
  refused_request: ['param'],
}

const MANY = 50

/**
 * Writes payloads into every text of a business: one into each row of a list, all of them into the rows that are there.
 */
export async function fillWithPayloads({ app }: TestService, businessId: string): Promise<void> {
  const { db } = app.services
  const ofBusiness = sql`business_id = ${businessId}::uuid`
  const all = XSS_PAYLOADS.join(' ')
  for (const [table, columns] of Object.entries(FIELDS)) {
    const where = table === 'business' ? sql`id = ${businessId}::uuid` : ofBusiness
    const changes = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${all}`))
    await sql`update ${sql.table(table)} set ${changes} where ${where}`.execute(db)
  }
  await sql`update subscription set metadata = jsonb_build_object('reference', ${all}::text, ${all}::text, ${all}::text)
    where ${ofBusiness}`.execute(db)
  await sql`update auth_user set name = ${all} where id in (select user_id from business_member where ${ofBusiness})`.execute(
    db,
  )
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
