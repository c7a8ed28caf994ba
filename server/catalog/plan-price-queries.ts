import type { Db } from '../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import { eventValues, firstEventMembers } from '../events/event-queries.ts'
import type { PlanPrice } from './plan-price.ts'

/**
 * Returns the members that insert product and price of a plan, if the source has a row and they do not exist yet. The
 * statement must have `p.businessId` and `p.at`.
 */
export const planPriceMembers = (p: Placeholders, source: string) => `plan_product as (
    insert into product (business_id, id, name, active, metadata, created_at, updated_at)
    select ${p.businessId}::uuid, ${p.planProductId}::uuid, ${p.planName}::text, false, '{}', ${p.at}::timestamptz,
      ${p.at}::timestamptz
    from ${source}
    on conflict (business_id, id) do nothing
    returning id
  ), plan_price as (
    insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count,
      active, metadata, created_at, updated_at)
    select ${p.businessId}::uuid, ${p.planPriceId}::uuid, ${p.planProductId}::uuid, ${p.planUnitAmount}::bigint,
      ${p.planCurrency}::text, ${p.planInterval}::text, ${p.planIntervalCount}::smallint, false, '{}', ${p.at}::timestamptz,
      ${p.at}::timestamptz
    from ${source}
    on conflict (business_id, id) do nothing
    returning id
  ), ${firstEventMembers(p, { source: 'plan_product', prefix: 'product' })},
  ${firstEventMembers(p, { source: 'plan_price', prefix: 'price' })}`

export function planPriceValues({ product, price, events }: PlanPrice): Values {
  return {
    planProductId: product.id,
    planName: product.name,
    planPriceId: price.id,
    planUnitAmount: price.unitAmount,
    planCurrency: price.currency,
    planInterval: price.cadence?.interval ?? null,
    planIntervalCount: price.cadence?.count ?? null,
    ...eventValues(events.product, 'product'),
    ...eventValues(events.price, 'price'),
  }
}

const INSERT = statement(
  'insert_plan_price',
  (p) => `with one as (select 1 as one), ${planPriceMembers(p, 'one')} select one from one`,
)

/** Inserts product and price of a plan, unless they exist. */
export async function insertPlanPrice(db: Db, plan: PlanPrice): Promise<void> {
  const { createdAt } = plan.price
  await run(db, INSERT, { businessId: plan.events.price.businessId, at: createdAt, ...planPriceValues(plan) })
}
