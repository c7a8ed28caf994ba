import { ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaymentFilters } from '../../../contract/dashboard/payment-row.ts'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { paymentFilter } from './payment-filter.ts'
import { countPaymentRows, listPaymentRows } from './payment-row-queries.ts'

// 12,000 payments on sessions, in US dollars with Visa; one in ten is declined with ND, the others are scheduled. No
// filter here matches any of them. A filter that finds this out by reading them reads hundreds of buffers.
const FEW = 40
const SALES = 12_000

type Business = Parameters<typeof paymentFilter>[0]
const businessOf = () => ({ id: newId(), timeZone: 'America/New_York', clockOffsetSeconds: 0 }) as Business
const american = businessOf()
/** A business that takes Canadian dollars only, and has no subscriptions. */
const canadian = businessOf()
/** A business with half of its sales in Canadian dollars with Visa, and half in US dollars with Amex. */
const mixed = businessOf()

const buffers = buffersIn(async (client) => {
  for (const { id, currencies } of [
    { ...american, currencies: ['USD', 'CAD'] },
    { ...canadian, currencies: ['CAD'] },
  ]) {
    await client.query(INSERT_BUSINESS, [id])
    await client.query(INSERT_TERMINALS, [id, currencies])
    await client.query(INSERT_SALES, [id, id === american.id ? SALES : SALES / 4, currencies[0]])
    await client.query(INSERT_PAYMENTS, [id, id === american.id])
  }
  await client.query(INSERT_BUSINESS, [mixed.id])
  await client.query(INSERT_TERMINALS, [mixed.id, ['USD', 'CAD']])
  await client.query(INSERT_SALES, [mixed.id, SALES, 'CAD'])
  await client.query(MIX_SALES, [mixed.id])
  await client.query(INSERT_SUBSCRIPTION, [american.id])
  await client.query('vacuum analyze operation, payment, terminal')
})

const INSERT_BUSINESS = `insert into business (id, name, currency, country, time_zone, created_at)
  values ($1, 'B', 'USD', 'US', 'UTC', now())`

const INSERT_TERMINALS = `insert into terminal (business_id, id, currency, gateway, merchant_code, created_at)
  select $1, gen_random_uuid(), currency, 'simulator', currency, now() from unnest($2::text[]) currency`

const INSERT_SALES = `insert into operation (business_id, id, kind, state, lost, owner_kind, owner_id, merchant_ref,
    terminal_id, amount, currency, card_brand, card_first6, card_last4, code, lost_code, counts_as_attempt, sent_at,
    deadline_at, finalized_at, declined_at)
  select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'sale',
    (case when is_lost then 'DECLINED' else 'APPROVED' end)::operation_state, is_lost, 'session', gen_random_uuid(), 'R' || n,
    $1, 2500, $3, 'visa', '424242', '4242', case when is_lost then 'ND' else 'AA' end, case when is_lost then 'ND' end, true,
    at, at, at, case when is_lost then at end
  from generate_series(1, $2::integer) n, lateral (select now() - n * interval '20 s' as at, n % 10 = 0 as is_lost)`

const MIX_SALES = `update operation set currency = 'USD', card_brand = 'amex'
  where business_id = $1 and right(merchant_ref, 1) in ('1', '3', '5', '7', '9')`

const INSERT_SUBSCRIPTION = `insert into subscription (business_id, id, customer_id, status, currency, time_zone, items,
    interval_unit, interval_count, unit_amount, quantity, tax_amount, surcharge_amount, amount, start_date, anchor_date,
    created_at)
  values ($1, uuidv7(), uuidv7(), 'active', 'USD', 'UTC', '[]', 'month', 1, 2500, 1, 0, 0, 2500, current_date,
    current_date, now())`

const INSERT_PAYMENTS = `insert into payment (business_id, id, operation_id, session_id, status, amount, currency, code,
    message, receipt_id, issuer_reference, card_brand, card_first6, card_last4, source, terminal_id, created_at,
    subscription_id, trigger)
  select business_id, gen_random_uuid(), id, owner_id, 'succeeded', amount, currency, code, 'Approved', merchant_ref, '1',
    card_brand, card_first6, card_last4, 'form', terminal_id, finalized_at, case when $2 then owner_id end,
    case when $2 then 'scheduled'::payment_trigger end
  from operation where business_id = $1 and not lost`

function buffersOf(filters: PaymentFilters, { business = american, without = '' } = {}): Promise<number> {
  const now = new Date()
  return buffers.count(async (db) => {
    const filter = paymentFilter(business, filters)
    const { rows } = await listPaymentRows(db, filter, { limit: 50, now })
    ok(rows.length === 0 && Number(await countPaymentRows(db, filter, now)) === 0, JSON.stringify(filters))
  }, without)
}

const NOTHING: [filters: PaymentFilters, index: string][] = [
  [{ code: 'NX' }, 'operation_lost_code'],
  [{ currency: 'cad' }, 'operation_foreign_currency'],
  [{ brand: 'jcb' }, 'operation_rare_brand'],
  [{ brand: 'jcb', status: 'succeeded' }, 'operation_rare_brand'],
  [{ kind: 'sale' }, 'operation_rare_kind'],
  [{ kind: 'subscription' }, 'operation_rare_kind'],
  [{ status: 'refunded' }, 'payment_given_back_as'],
  [{ status: 'partially_refunded' }, 'payment_given_back_as'],
  [{ status: 'voided', brand: 'visa' }, 'payment_given_back_as'],
  [{ trigger: 'manual' }, 'payment_rare_trigger'],
  [{ status: 'not_charged' }, 'operation_undone'],
  [{ last4: '0000' }, 'operation_of_card'],
]

describe('The list of payments finds out that nothing matches without reading payments (DSH-22)', () => {
  for (const [filters, index] of NOTHING)
    test(`${JSON.stringify(filters)}, with ${index}`, async () => {
      const read = await buffersOf(filters)
      ok(read <= FEW, `${read} buffers`)
      const without = await buffersOf(filters, { without: index })
      ok(without > 5 * FEW, `Without its index it reads only ${without} buffers, so this test would not fail`)
    })

  /** Pairs of filters: each matches half of the sales, both together match none. */
  const NEVER_BOTH: PaymentFilters[] = [
    { currency: 'cad', brand: 'amex' },
    { currency: 'cad', brand: 'amex', kind: 'session', amount_from: 100 },
    { brand: 'amex', status: 'failed' },
  ]
  for (const filters of NEVER_BOTH)
    test(`${JSON.stringify(filters)}, in one index`, async () => {
      const read = await buffersOf(filters, { business: mixed })
      ok(read <= 15 * FEW, `${read} buffers`)
    })

  /** Filters that match thousands, and how many pages of an index these take. */
  const COUNTED: [filters: PaymentFilters, counted: number, most: number][] = [
    [{ status: 'failed' }, SALES / 10, FEW],
    [{ status: 'failed', brand: 'visa', from: '2020-01-01' }, SALES / 10, FEW],
    [{ trigger: 'scheduled' }, 10_001, 4 * FEW],
    [{ from: '2020-01-01' }, 10_001, 4 * FEW],
  ]
  for (const [filters, counted, most] of COUNTED)
    test(`${JSON.stringify(filters)} is counted in an index`, async () => {
      const filter = paymentFilter(american, filters)
      const read = await buffers.count(async (db) => {
        ok(Number(await countPaymentRows(db, filter, new Date())) === counted)
      })
      ok(read <= most, `${read} buffers`)
    })

  test('a batch that has none', async () => {
    ok((await buffersOf({ batch: newId() })) <= FEW)
  })

  test('a customer who never paid', async () => {
    ok((await buffersOf({ customer: newId() })) <= FEW)
  })

  test('the usual trigger, of a business without subscriptions', async () => {
    ok((await buffersOf({ trigger: 'scheduled' }, { business: canadian })) <= FEW)
  })

  test('a currency without a terminal', async () => {
    ok((await buffersOf({ currency: 'usd' }, { business: canadian })) <= FEW)
  })
})
