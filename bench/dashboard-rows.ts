// Rows of a large business, inserted by PostgreSQL itself: customers with cards, subscriptions, and payments of every
// kind and outcome; a million payments cover half a year.
import { sql } from 'kysely'
import type pg from 'pg'
import { indexSessionReferences } from '../server/dashboard/session-reference-queries.ts'
import { systemClock } from '../server/lib/clock.ts'
import { openDb } from '../test/support/pool.ts'

export const CUSTOMERS = 100_000
export const SUBSCRIPTIONS = 100_000

/** Seconds between two payments: a million cover 180 days. */
const EVERY_SECONDS = 15.552

/** Inserts customers, half of them with a card, and a subscription for each of those. */
export async function fillCustomers(client: pg.Client, businessId: string): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query(`create unlogged table bench_customer as select n, uuidv7(- n * interval '1 minute') as id,
    uuidv7() as card from generate_series(0, ${CUSTOMERS - 1}) n`)
  await client.query('alter table bench_customer add primary key (n)')
  await client.query(
    `insert into customer (business_id, id, name, email, email_folded, metadata, created_at, updated_at)
     select $1, id, (array['Ana','Bo','Cleo','Dora','Eve','Finn','Gil','Hal','Ivy','Jo'])[n % 10 + 1] || ' ' ||
       (array['Roy','Lee','Tremblay','Nguyen','Smith','Gagnon','Singh','Côté'])[n / 10 % 8 + 1] || ' ' || n,
       'payer' || n || '@example.com', 'payer' || n || '@example.com', '{}', at, at
     from bench_customer, lateral (select now() - n * interval '1 minute' as at)`,
    [businessId],
  )
  await client.query(
    `insert into stored_card (business_id, id, customer_id, brand, first6, last4, exp_month, exp_year, funding, fingerprint,
       fingerprint_key_id, created_at)
     select $1, card, id, 'visa', '424242', lpad((n % 10000 * 7919 % 10000)::text, 4, '0'), n % 12 + 1, 2026 + n % 6, 'credit',
       decode(md5(n::text), 'hex'), 'bench', now() - n * interval '1 minute' from bench_customer where n % 2 = 0`,
    [businessId],
  )
  await fillSubscriptions(client, businessId)
  await client.query('vacuum analyze customer, stored_card, subscription, subscription_price, bench_customer')
}

/** Inserts subscriptions: seven in ten are monthly, two weekly, one yearly; they began on 300 different days. */
async function fillSubscriptions(client: pg.Client, businessId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `with made as (
       insert into product (business_id, id, name, active, metadata, created_at, updated_at)
       select $1, gen_random_uuid(), 'Plan ' || n, true, '{}', now(), now() from generate_series(1, 5) n returning id
     )
     insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count,
       active, metadata, created_at, updated_at)
     select $1, gen_random_uuid(), id, 2500, 'USD', 'month', 1, true, '{}', now(), now() from made returning id`,
    [businessId],
  )
  await client.query(
    `insert into subscription (business_id, id, customer_id, stored_card_id, status, currency, time_zone, items, interval_unit,
       interval_count, unit_amount, quantity, tax_amount, surcharge_amount, amount, paid_bills, start_date, anchor_date,
       next_period_no, next_billing_date, metadata, created_at)
     select $1, uuidv7(- n * interval '1 minute'), id, case when n % 2 = 0 then card end,
       case when n % 2 = 0 and n % 20 > 0 then 'active' when n % 20 = 0 then 'paused' else 'pending_payment_method' end::subscription_status,
       'USD', 'America/New_York', jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'price', ($2::uuid[])[n % 5 + 1], 'quantity', 1)),
       unit, 1, 2500, 1, 0, 0, 2500, k, anchor, anchor, k,
       case when n % 2 = 0 and n % 20 > 0 then (anchor + k * ('1 ' || unit)::interval)::date end,
       jsonb_build_object('reference', 'Order-' || n), now() - n * interval '1 minute'
     from bench_customer,
       lateral (select case when n % 10 < 7 then 'month' when n % 10 < 9 then 'week' else 'year' end as unit,
         (current_date - n % 300)::date as anchor),
       lateral (select 1 + case unit when 'week' then (n % 300) / 7
         when 'month' then extract(year from age(current_date, anchor)) * 12 + extract(month from age(current_date, anchor))
         else 0 end::integer as k)`,
    [businessId, rows.map(({ id }) => id)],
  )
  await client.query(
    `insert into subscription_price (business_id, price_id, created_at, subscription_id)
     select business_id, (items -> 0 ->> 'price')::uuid, created_at, id from subscription where business_id = $1`,
    [businessId],
  )
}

/**
 * Inserts payments with numbers in a range, newest first: from sessions, subscriptions and stored cards; one in twelve
 * is declined, one in thirty is refunded, a few are still open.
 */
export async function fillPayments(client: pg.Client, businessId: string, from: number, to: number): Promise<void> {
  await client.query('drop table if exists bench_payment')
  await client.query(
    `create unlogged table bench_payment as
     select n, uuidv7(- back) as sale, uuidv7(- back + interval '300 ms') as payment, uuidv7(- back - interval '1 minute') as owner,
       now() - back as at, 100 + n * 37 % 50000 as amount, case when n % 20 = 0 then 'CAD' else 'USD' end as currency,
       (array['visa','visa','visa','mastercard','mastercard','amex'])[n % 6 + 1] as brand,
       lpad((n % 10000 * 7919 % 10000)::text, 4, '0') as last4,
       case when n % 10 < 5 then 'session' when n % 10 < 8 then 'bill' else 'stored_card_sale' end::charge_owner_kind as kind,
       case when n < 6 then 'IN_DOUBT' when n % 1000 = 999 then 'REVERSED' when n / 10 % 100 < 8 then 'DECLINED' else 'APPROVED'
         end::operation_state as state,
       case when n / 10 % 100 in (8, 9) then 'refunded' when n / 10 % 100 = 11 then 'voided' when n / 10 % 100 < 8 then 'failed'
         else 'succeeded' end::payment_status as status,
       case when n / 10 % 100 in (8, 9) then 100 + n * 37 % 50000 when n / 10 % 100 = 10 then 50 else 0 end as refunded,
       case when n / 10 % 100 >= 8 then 'AA' when n / 10 % 100 = 7 then 'NI' else 'ND' end as code,
       t.id as terminal, c.id as customer, c.card
     from generate_series($2::integer, $3::integer) n
       cross join lateral (select n * interval '${EVERY_SECONDS} seconds' as back)
       join (select n as number, id, card from bench_customer) c on c.number = n * 13 % ${CUSTOMERS}
       join terminal t on t.business_id = $1 and t.currency = case when n % 20 = 0 then 'CAD' else 'USD' end`,
    [businessId, from, to],
  )
  for (const statement of [SESSIONS, SALES, PAYMENTS, REFUNDS]) await client.query(statement, [businessId])
  await client.query('vacuum analyze checkout_session, operation, payment, refund')
}

/**
 * Indexes references like the job that does not run while the service is measured. The newest payments were written
 * first.
 */
export async function indexReferences(databaseUrl: string): Promise<void> {
  const db = openDb(databaseUrl)
  try {
    await sql`delete from job_progress where job = 'index session references'`.execute(db)
    await indexSessionReferences({ db, clock: systemClock })
    await sql`vacuum analyze session_reference`.execute(db)
  } finally {
    await db.destroy()
  }
}

const SESSIONS = `insert into checkout_session (business_id, id, token_key_id, status, ui_mode, mode, currency, amount_total,
    customer_id, customer_email, customer_named_by, search_text, parent_origin, client_reference_id, attempt_count, created_at, expires_at)
  select $1, owner, 'bench', case state when 'APPROVED' then 'COMPLETED' else 'EXPIRED' end::session_status, 'hosted', 'payment',
    currency, amount, case when n % 2 = 0 then customer end, 'payer' || n * 13 % ${CUSTOMERS} || '@example.com', 'merchant',
    'payer' || n * 13 % ${CUSTOMERS} || '@example.com', 'https://shop.example', 'Order-' || n, 1, at, at + interval '1 hour'
  from bench_payment where kind = 'session'`

const SALES = `insert into operation (business_id, id, kind, state, lost, owner_kind, owner_id, merchant_ref, terminal_id, amount,
    currency, card_brand, card_first6, card_last4, card_fingerprint, stored_card_id, customer_id, code, lost_code, message, gateway_ref,
    counts_as_attempt, sent_at, deadline_at, finalized_at, declined_at, next_inquiry_at)
  select $1, sale, 'sale', state, state >= 'DECLINED', kind, case kind when 'stored_card_sale' then sale else owner end, 'BENCH-' || n,
    terminal, amount, currency, brand, '424242', last4, decode(md5(n::text), 'hex'), case when kind <> 'session' then card end,
    case when kind <> 'session' then customer end, case when state <> 'IN_DOUBT' then code end,
    case when state >= 'DECLINED' then code end, case when state <> 'IN_DOUBT' then 'Message' end, 'G' || n, true, at, at + interval '30 s',
    case when state <> 'IN_DOUBT' then at end, case when state = 'DECLINED' then at end,
    case when state = 'IN_DOUBT' then now() + interval '1 hour' end
  from bench_payment order by sale`

/** Inserts payments; a declined charge of a subscription is included. */
const PAYMENTS = `insert into payment (business_id, id, operation_id, session_id, customer_id, stored_card_id, status, amount, currency,
    code, message, receipt_id, issuer_reference, card_brand, card_first6, card_last4, source, refunded_amount, created_at,
    terminal_id, subscription_id, trigger, attempt)
  select $1, p.payment, p.sale, case when p.kind = 'session' then p.owner end, p.customer, case when p.kind <> 'session' then p.card end,
    p.status, p.amount, p.currency, p.code, 'Message', 'R' || lpad(p.n::text, 10, '0'), 'I' || p.n, p.brand, '424242', p.last4,
    case when p.kind = 'session' then 'form' else 'stored_card' end, p.refunded, p.at + interval '300 ms', p.terminal, s.id,
    case when s.id is not null then 'scheduled'::payment_trigger end, case when s.id is not null then 1 end
  from bench_payment p left join subscription s on p.kind = 'bill' and s.business_id = $1 and s.customer_id = p.customer
  where p.state = 'APPROVED' or (p.state = 'DECLINED' and p.kind = 'bill') order by p.payment`

const REFUNDS = `insert into refund (business_id, id, payment_id, status, amount, currency, receipt_id, created_at, finalized_at)
  select $1, uuidv7(at + interval '1 hour' - now()), payment, 'succeeded', refunded, currency, 'R9' || lpad(n::text, 9, '0'),
    at + interval '1 hour', at + interval '1 hour'
  from bench_payment where state = 'APPROVED' and refunded > 0`
