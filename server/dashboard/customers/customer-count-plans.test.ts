import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { countUpTo } from '../count-queries.ts'
import { type CustomerFilter, countCustomers, matchingCustomers } from './customers-queries.ts'

// 20,000 customers. One in ten has two cards, one in two has two subscriptions and a canceled one. Others have what
// does not count: a detached card or a canceled subscription. Looking that up for each customer reads thousands of
// buffers.
const CUSTOMERS = 20_000
const FEW = 120

const [businessId, other] = [newId(), newId()]
const buffers = buffersIn(async (client) => {
  for (const id of [businessId, other]) {
    await client.query(INSERT_BUSINESS, [id])
    await client.query(INSERT_CUSTOMERS, [id, CUSTOMERS])
    await client.query(INSERT_CARDS, [id])
    await client.query(INSERT_SUBSCRIPTIONS, [id])
  }
  await client.query('vacuum analyze customer, stored_card, subscription')
})

const INSERT_BUSINESS = `insert into business (id, name, currency, country, time_zone, created_at)
  values ($1, 'B', 'USD', 'US', 'UTC', now())`

const INSERT_CUSTOMERS = `insert into customer (business_id, id, name, email, email_folded, metadata, created_at, updated_at)
  select $1, uuidv7(- n * interval '1 minute'), n::text, n || '@example.com', n || '@example.com', '{}',
    now() - n * interval '1 minute', now()
  from generate_series(0, $2::integer - 1) n`

const INSERT_CARDS = `insert into stored_card (business_id, id, customer_id, brand, first6, last4, exp_month, exp_year, fingerprint,
    fingerprint_key_id, created_at, detached_at)
  select $1, uuidv7(), id, 'visa', '424242', '4242', 1, 2030, decode(md5(name || card), 'hex'), 'k', created_at,
    case when name::integer % 10 > 0 then now() end
  from customer, generate_series(1, 2) card where business_id = $1 and name::integer % 2 = 0`

const INSERT_SUBSCRIPTIONS = `insert into subscription (business_id, id, customer_id, status, currency, time_zone, items,
    interval_unit, interval_count, unit_amount, quantity, tax_amount, surcharge_amount, amount, start_date, anchor_date,
    created_at)
  select $1, uuidv7(), id, status::subscription_status, 'USD', 'UTC', '[]', 'month', 1, 2500, 1, 0, 0, 2500, current_date,
    current_date, created_at
  from customer, unnest(case when name::integer % 2 = 0 then array['active', 'canceled', 'paused'] else array['canceled'] end)
    status
  where business_id = $1`

const WITH_CARD: Partial<CustomerFilter> = { hasCard: true }
const WITH_SUBSCRIPTION: Partial<CustomerFilter> = { hasSubscription: true }

describe('Customers with what they have are counted (DSH-22)', () => {
  const COUNTED: [filter: Partial<CustomerFilter>, counted: number, most: number][] = [
    [WITH_CARD, CUSTOMERS / 10, FEW],
    [WITH_SUBSCRIPTION, CUSTOMERS / 2, 8 * FEW],
  ]
  for (const [filter, counted, most] of COUNTED)
    test(`${Object.keys(filter)}: in an index of what they have`, async () => {
      const which = { businessId, since: null, until: null, ...filter }
      const read = await buffers.count(async (db) => equal(Number(await countCustomers(db, which)), counted))
      ok(read <= most, `${read} buffers`)
    })

  const OTHERS: Partial<CustomerFilter>[] = [
    WITH_CARD,
    WITH_SUBSCRIPTION,
    { hasCard: false },
    { hasSubscription: false },
    { ...WITH_CARD, ...WITH_SUBSCRIPTION },
    { ...WITH_CARD, hasSubscription: false },
    { ...WITH_CARD, search: '777' },
    { ...WITH_SUBSCRIPTION, since: new Date(Date.now() - 3_600_000) },
    {},
  ]
  for (const filter of OTHERS)
    test(`${JSON.stringify(filter)}: as many as the list has`, async () => {
      const which = { businessId, ...filter }
      await buffers.count(async (db) =>
        equal(await countCustomers(db, which), await countUpTo(db, matchingCustomers(db, which))),
      )
    })
})
