import { deepEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { PaymentFilters } from '../../../contract/dashboard/payment-row.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openDb } from '../../../test/support/pool.ts'
import type { Db } from '../../db/connection.ts'
import { newId } from '../../lib/ids.ts'
import { kindOf, paymentFilter } from './payment-filter.ts'
import { countPaymentRows, listPaymentRows, type StoredPaymentRow } from './payment-row-queries.ts'

// Each filter decides what is read: sales, payments or both. Whatever it reads, it must find the matching rows, alone
// and together with each other filter.

const business = { id: newId(), timeZone: 'UTC', clockOffsetSeconds: 0 } as Parameters<typeof paymentFilter>[0]
const [openBatch, settledBatch, subscription, customer, terminal] = [newId(), newId(), newId(), newId(), newId()]
const SALES = 900
const DAY_MS = 86_400_000

let database: TestDatabase
let client: pg.Client
let db: Db
let all: StoredPaymentRow[]
before(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  db = openDb(database.url)
  await client.query(INSERT_BUSINESS, [business.id])
  await client.query(INSERT_TERMINALS, [business.id])
  await client.query(INSERT_BATCH, [business.id, openBatch, terminal])
  await client.query(INSERT_SALES, [business.id, SALES, terminal, customer])
  await client.query(INSERT_PAYMENTS, [business.id, settledBatch, subscription])
  await client.query(INSERT_SUBSCRIPTION, [business.id, subscription, customer])
  // Replaces autovacuum, which is off in tests: without statistics, PostgreSQL takes eight times as long.
  await client.query('analyze operation, payment, subscription')
  all = await rowsOf({})
})
after(async () => {
  await Promise.all([db.destroy(), client.end()])
  await database.drop()
})

const INSERT_BUSINESS = `insert into business (id, name, currency, country, time_zone, created_at)
  values ($1, 'B', 'USD', 'US', 'UTC', now())`

const INSERT_TERMINALS = `insert into terminal (business_id, id, currency, gateway, merchant_code, created_at)
  select $1, gen_random_uuid(), currency, 'simulator', currency, now() from unnest(array['USD', 'CAD']) currency`

/** An open batch that takes the payments after the 600th. */
const INSERT_BATCH = `insert into batch (business_id, id, terminal_id, number, status, currency, after_payment_id, created_at)
  values ($1, $2, $3, 1, 'open', 'USD', '01900000-0000-7000-9000-000000000258', now())`

/** One sale an hour. An id begins with the milliseconds of its time. */
const INSERT_SALES = `insert into operation (business_id, id, kind, state, lost, owner_kind, owner_id, merchant_ref,
    terminal_id, amount, currency, card_brand, card_first6, card_last4, code, lost_code, customer_id, counts_as_attempt,
    sent_at, deadline_at, finalized_at, declined_at)
  select $1, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
    'sale', state, state >= 'DECLINED', owner, gen_random_uuid(), n, $3, 1000 + n % 13 * 100,
    case when n % 5 = 0 then 'CAD' else 'USD' end, (array['visa', 'mastercard', 'amex', 'discover'])[n % 7 % 4 + 1], '424242',
    lpad((n % 10)::text, 4, '0'), code, case when state >= 'DECLINED' then code end, case when owner <> 'session' then $4::uuid end,
    true, at, at, at, case when state = 'DECLINED' then at end
  from generate_series(1, $2::integer) n, lateral (select '2026-03-01Z'::timestamptz + n * interval '1 hour' as at,
    (array['session', 'session', 'bill', 'stored_card_sale'])[n % 4 + 1]::charge_owner_kind as owner,
    (case n % 9 when 0 then 'DECLINED' when 1 then 'REVERSED' when 2 then 'NOT_CHARGED' else 'APPROVED' end)::operation_state
      as state,
    case when n % 9 = 2 then null when n % 9 = 0 then case when n % 2 = 0 then 'ND' else 'NI' end else 'AA' end as code) sale`

/** Payments of the sales. A declined bill has one, too. */
const INSERT_PAYMENTS = `insert into payment (business_id, id, operation_id, session_id, customer_id, status, amount, currency,
    code, message, receipt_id, issuer_reference, card_brand, card_first6, card_last4, source, refunded_amount, created_at,
    terminal_id, batch_id, subscription_id, trigger)
  select $1, ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, id,
    case when owner_kind = 'session' then owner_id end, customer_id, (case when state = 'DECLINED' then 'failed'
      else coalesce((array['refunded', 'voided'])[n % 11], 'succeeded') end)::payment_status, amount, currency, code, 'Message', n,
    n, card_brand, card_first6, card_last4, 'form', case when state = 'APPROVED' and n % 11 in (1, 3) then 100 else 0 end,
    sent_at, terminal_id, case when n <= 600 and n % 6 = 0 then $2::uuid end, case when owner_kind = 'bill' then $3::uuid end,
    case when owner_kind = 'bill' then (array['scheduled', 'retry', 'manual'])[n % 3 + 1]::payment_trigger end
  from operation, lateral (select merchant_ref::integer as n) numbered
  where business_id = $1 and (state = 'APPROVED' or state = 'DECLINED' and owner_kind = 'bill')`

const INSERT_SUBSCRIPTION = `with payer as (
    insert into customer (business_id, id, name, metadata, created_at, updated_at) values ($1, $3, 'Ana', '{}', now(), now())
  )
  insert into subscription (business_id, id, customer_id, status, currency, time_zone, items, interval_unit, interval_count,
    unit_amount, quantity, tax_amount, surcharge_amount, amount, start_date, anchor_date, created_at)
  values ($1, $2, $3, 'active', 'USD', 'UTC', '[]', 'month', 1, 1, 1, 0, 0, 1, '2026-03-01', '2026-03-01', now())`

type Matches = (row: StoredPaymentRow) => boolean

const FILTERS: [PaymentFilters, Matches][] = [
  ...(['succeeded', 'partially_refunded', 'refunded', 'voided', 'failed', 'reversed', 'not_charged'] as const).map(
    (status): [PaymentFilters, Matches] => [{ status }, (row) => row.status === status],
  ),
  ...(['session', 'sale', 'subscription'] as const).map((kind): [PaymentFilters, Matches] => [
    { kind },
    (row) => kindOf(row.ownerKind) === kind,
  ]),
  [{ currency: 'cad' }, (row) => row.currency === 'CAD'],
  [{ currency: 'usd' }, (row) => row.currency === 'USD'],
  [{ brand: 'visa' }, (row) => row.cardBrand === 'visa'],
  [{ brand: 'amex' }, (row) => row.cardBrand === 'amex'],
  [{ last4: '0007' }, (row) => row.cardLast4 === '0007'],
  [{ amount_from: 1_500, amount_to: 1_800 }, ({ amount }) => amount >= 1_500 && amount <= 1_800],
  [{ code: 'AA' }, (row) => row.code === 'AA'],
  [{ code: 'ND' }, (row) => row.code === 'ND'],
  [{ trigger: 'scheduled' }, (row) => row.trigger === 'scheduled'],
  [{ trigger: 'retry' }, (row) => row.trigger === 'retry'],
  [{ subscription }, (row) => row.subscriptionId === subscription],
  [{ customer }, (row) => row.customerId === customer],
  [{ batch: settledBatch }, (row) => row.batchId === settledBatch],
  [
    { batch: openBatch },
    ({ paymentId, batchId, status }) =>
      batchId === null && status !== 'failed' && (paymentId ?? '') > '01900000-0000-7000-9000-000000000258',
  ],
  [
    { from: '2026-03-10', to: '2026-03-19' },
    ({ createdAt }) => createdAt >= new Date('2026-03-10Z') && createdAt < new Date(Date.parse('2026-03-19Z') + DAY_MS),
  ],
]

async function rowsOf(filters: PaymentFilters): Promise<StoredPaymentRow[]> {
  const page = { limit: SALES, now: new Date() }
  const { rows } = await listPaymentRows(db, paymentFilter(business, filters), page)
  return rows.map((row) => ({ ...row, amount: Number(row.amount) as typeof row.amount }))
}

describe('The list of payments has what a filter asks for, and nothing else (DSH-8)', () => {
  for (const [index, [name, matches]] of FILTERS.entries())
    test(`${index + 1}: ${Object.keys(name)}, alone and with each after it`, async () => {
      ok(all.some(matches) && !all.every(matches), 'The rows do not try this filter')
      for (const [other, matchesOther] of FILTERS.slice(index)) {
        const filters = { ...name, ...other }
        const isReplaced = Object.keys(other).some((key) => key in name)
        const expected = all.filter((row) => (isReplaced || matches(row)) && matchesOther(row))
        const found = await rowsOf(filters)
        deepEqual(
          found.map(({ operationId }) => operationId),
          expected.map(({ operationId }) => operationId),
          JSON.stringify(filters),
        )
        const count = await countPaymentRows(db, paymentFilter(business, filters), new Date())
        deepEqual(Number(count), expected.length, JSON.stringify(filters))
      }
    })
})
