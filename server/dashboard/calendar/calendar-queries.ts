import { sql } from 'kysely'
import type { UpcomingItem } from '../../../contract/dashboard/calendar-api.ts'
import type { Interval } from '../../catalog/cadence.ts'
import type { Db } from '../../db/connection.ts'
import type { Day } from '../../subscriptions/plan/calendar.ts'
import type { ScheduleGroup } from './forecast.ts'

export interface Asked {
  businessId: string
  product: string | undefined
}

/** Whether a subscription has such a row, as few do. A subquery hashes only their ids; a join would copy every row. */
const hasOpen = (table: 'bill' | 'subscription_pause', status: string, { businessId }: Asked) =>
  sql`s.id in (select subscription_id from ${sql.table(table)}
    where business_id = ${businessId}::uuid and status = ${sql.lit(status)})`
/** Number of bills still to come, or `null` without an end. An open bill is expected to be paid. */
const leftOf = (asked: Asked) => sql`case when s.installments is not null
  then s.installments - s.paid_bills - (${hasOpen('bill', 'PENDING', asked)})::int end`
const stopOf = (asked: Asked) => sql`case
  when s.cancel_at is not null or ${hasOpen('subscription_pause', 'pending', asked)} then least(
    s.cancel_at at time zone s.time_zone,
    (select u.scheduled_for at time zone s.time_zone from subscription_pause u
      where u.business_id = s.business_id and u.subscription_id = s.id and u.status = 'pending')
  )::date end`
const IS_START = sql`s.segment_no = 0 and s.next_period_no = 0`

const ofProduct = ({ product }: Asked) =>
  product === undefined
    ? sql``
    : sql`and exists (select from jsonb_array_elements(s.items) item
        join price on price.business_id = s.business_id and price.id = (item ->> 'price')::uuid
        where price.product_id = ${product}::uuid)`

const running = (asked: Asked) =>
  sql`s.business_id = ${asked.businessId}::uuid and s.status = 'active' ${ofProduct(asked)}`

/**
 * Running subscriptions billed on or before a day, usually most of them. The index of next dates would read a different
 * page for each, so the condition is written in a form that no index matches.
 */
const billedBy = (asked: Asked, day: Day) =>
  sql`${running(asked)} and (s.next_billing_date <= ${day}::date) is true and s.catch_up_held_at is null`

/**
 * Open bills, scheduled pauses and scheduled cancels of running subscriptions. Each part starts from the table or
 * column that few subscriptions have.
 */
const changesOf = (asked: Asked) => {
  const columns = sql`s.id as subscription, s.customer_id as "customerId", s.items`
  const isRunning = running(asked)
  return sql`
    select case when b.failed_attempts > 0 then 'retry' else 'bill' end as kind,
      (b.next_attempt_at at time zone s.time_zone)::date as day, s.amount, ${columns}
    from bill b join subscription s on s.business_id = b.business_id and s.id = b.subscription_id
    where b.business_id = ${asked.businessId}::uuid and b.status = 'PENDING' and ${isRunning}
    union all
    select 'pause', (u.scheduled_for at time zone s.time_zone)::date, 0, ${columns}
    from subscription_pause u join subscription s on s.business_id = u.business_id and s.id = u.subscription_id
    where u.business_id = ${asked.businessId}::uuid and u.status = 'pending' and ${isRunning}
    union all
    select 'cancel', (s.cancel_at at time zone s.time_zone)::date, 0, ${columns}
    from subscription s where s.cancel_at is not null and ${isRunning}`
}

interface GroupRow extends Omit<ScheduleGroup, 'cadence'> {
  interval: Interval
  intervalCount: number
}

/** Groups the subscriptions billed up to a day by schedule, in one pass. Returns one row per distinct schedule. */
export async function listGroups(db: Db, asked: Asked & { to: Day }): Promise<ScheduleGroup[]> {
  const { rows } = await sql<GroupRow>`
    select s.anchor_date as anchor, s.interval_unit as interval, s.interval_count as "intervalCount",
      s.next_period_no as "nextPeriodNo", ${leftOf(asked)} as left, ${stopOf(asked)} as stop, ${IS_START} as "isStart",
      count(*) as count, sum(s.amount)::bigint as amount
    from subscription s where ${billedBy(asked, asked.to)}
    group by 1, 2, 3, 4, 5, 6, 7`.execute(db)
  return rows.map(({ interval, intervalCount: count, ...row }) => ({ ...row, cadence: { interval, count } }))
}

export interface PlannedChange {
  kind: 'retry' | 'bill' | 'pause' | 'cancel'
  day: Day
  count: number
  amount: number
}

/** Lists attempts of open bills, scheduled pauses and scheduled cancels, by day. */
export async function listChanges(db: Db, asked: Asked): Promise<PlannedChange[]> {
  const { rows } = await sql<PlannedChange>`
    select c.kind, c.day, count(*) as count, sum(c.amount)::bigint as amount
    from (${changesOf(asked)}) as c where c.day is not null
    group by 1, 2`.execute(db)
  return rows
}

/** Lists the schedules of the subscriptions billed up to a day, without the number of bills left. */
export async function listSchedules(
  db: Db,
  asked: Asked & { to: Day },
): Promise<Pick<ScheduleGroup, 'anchor' | 'cadence'>[]> {
  const { rows } = await sql<{ anchor: Day; interval: Interval; count: number }>`
    select distinct s.anchor_date as anchor, s.interval_unit as interval, s.interval_count as count
    from subscription s where ${billedBy(asked, asked.to)}`.execute(db)
  return rows.map(({ anchor, interval, count }) => ({ anchor, cadence: { interval, count } }))
}

export interface DayItem extends Pick<UpcomingItem, 'kind' | 'subscription' | 'amount'> {
  customerId: string
  items: { id: string; price: string; quantity: number }[]
}

/** A schedule and its period that begins on the day. */
export interface BilledPeriod extends Pick<ScheduleGroup, 'anchor' | 'cadence'> {
  k: number
}

/** Lists what happens on a day, oldest subscription first. */
export async function listItems(
  db: Db,
  asked: Asked & { day: Day; isToday: boolean; periods: readonly BilledPeriod[]; limit: number },
): Promise<DayItem[]> {
  const { day, isToday, periods, limit } = asked
  const columns = [
    periods.map(({ anchor }) => anchor),
    periods.map(({ cadence }) => cadence.interval),
    periods.map(({ cadence }) => cadence.count),
    periods.map(({ k }) => k),
  ]
  const columnsOf = sql`s.id as subscription, s.customer_id as "customerId", s.items`
  const { rows } = await sql<DayItem>`
    select case when ${IS_START} then 'start' else 'bill' end as kind, s.amount, ${columnsOf}
    from subscription s left join unnest(${columns[0]}::date[], ${columns[1]}::text[], ${columns[2]}::int[], ${columns[3]}::int[])
      as p(anchor, interval, count, k)
      on p.anchor = s.anchor_date and p.interval = s.interval_unit and p.count = s.interval_count
    where ${billedBy(asked, day)} and coalesce(${stopOf(asked)} > ${day}::date, true)
      and (p.k >= s.next_period_no and (s.installments is null or p.k - s.next_period_no < ${leftOf(asked)})
        or ${isToday} and s.next_billing_date < ${day}::date)
    union all
    select c.kind, c.amount, c.subscription, c."customerId", c.items from (${changesOf(asked)}) as c
    where c.day = ${day}::date or ${isToday} and c.day < ${day}::date
    order by subscription limit ${limit}`.execute(db)
  return rows
}
