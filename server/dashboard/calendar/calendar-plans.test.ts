import { deepEqual, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import type { Day } from '../../subscriptions/plan/calendar.ts'
import { listChanges, listGroups, listSchedules } from './calendar-queries.ts'

// 40,000 subscriptions, half of them active. Their next dates are in another order than their rows, so reading them by
// date touches a different page for each.
const SUBSCRIPTIONS = 40_000

const businessId = newId()
const asked = { businessId, product: undefined }
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10) as Day
let pages: number
const buffers = buffersIn(async (client) => {
  await client.query(
    `insert into business (id, name, currency, country, time_zone, created_at) values ($1, 'B', 'USD', 'US', 'UTC', now())`,
    [businessId],
  )
  await client.query(
    `insert into subscription (business_id, id, customer_id, status, currency, time_zone, items, interval_unit,
       interval_count, unit_amount, quantity, tax_amount, surcharge_amount, amount, start_date, anchor_date,
       next_billing_date, created_at, cancel_at)
     select $1, uuidv7(), uuidv7(), status::subscription_status, 'USD', 'UTC', '[]', 'month', 1, 2500, 1, 0, 0, 2500, current_date,
       current_date, case when status = 'active' then current_date + n * 7919 % 307 end, now() - n * interval '1 minute',
       case when n = 78 then current_date + interval '10 days' end
     from generate_series(1, $2::integer) n,
       lateral (select case when n % 2 = 0 then 'active' else 'pending_payment_method' end as status)`,
    [businessId, SUBSCRIPTIONS],
  )
  await client.query('vacuum analyze subscription')
  const { rows } = await client.query<{ pages: number }>(
    `select relpages as pages from pg_class where oid = 'subscription'::regclass`,
  )
  pages = rows[0]?.pages ?? 0
})

describe('The calendar reads each page of the subscriptions once (DSH-22)', () => {
  test('for their groups', async () => {
    const read = await buffers.count(async (db) => {
      const groups = await listGroups(db, { ...asked, to: dayIn(400) })
      deepEqual(
        groups.reduce((sum, { count }) => sum + Number(count), 0),
        SUBSCRIPTIONS / 2,
      )
    })
    ok(read <= 1.5 * pages, `${read} buffers of ${pages} pages`)
  })

  test('for their schedules', async () => {
    const read = await buffers.count(async (db) =>
      deepEqual((await listSchedules(db, { ...asked, to: dayIn(400) })).length, 1),
    )
    ok(read <= 1.5 * pages, `${read} buffers of ${pages} pages`)
  })

  test('and none of those whose end is not scheduled for what changes', async () => {
    const read = await buffers.count(async (db) => {
      const changes = await listChanges(db, asked)
      deepEqual(
        changes.map(({ kind, count }) => [kind, Number(count)]),
        [['cancel', 1]],
      )
    })
    ok(read <= 20, `${read} buffers`)
  })
})
