import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Cents } from '../../lib/money.ts'

export interface RefundLimits {
  stepUpAmount: Cents
  dailyAmount: Cents
}

/** Limits of a business that has set none (DSH-34). */
const DEFAULTS: RefundLimits = { stepUpAmount: 50_000 as Cents, dailyAmount: 200_000 as Cents }

/** Longest time that a call is under way. Until then, it counts with the amount that it asks for. */
const UNDER_WAY_SECONDS = 60

/**
 * Reads the limits of the business, and what the person has refunded and voided since an instant, including what is
 * open.
 */
export async function readRefundLimits(
  db: Db,
  { businessId, userId, since, now }: { businessId: string; userId: string; since: Date; now: Date },
): Promise<RefundLimits & { refunded: Cents }> {
  const began = new Date(now.getTime() - UNDER_WAY_SECONDS * 1000)
  const { rows } = await sql<{ stepUpAmount: Cents | null; dailyAmount: Cents | null; refunded: Cents }>`
    select l.refund_step_up_amount as "stepUpAmount", l.refund_daily_amount as "dailyAmount", (
      select coalesce(sum(coalesce(o.amount, (a.after ->> 'amount')::bigint)), 0)::bigint
      from audit_entry a left join operation o
        on o.business_id = a.business_id and o.id = (a.after ->> 'operation')::uuid
      where a.business_id = ${businessId}::uuid and a.actor_id = ${userId} and a.created_at >= ${since}
        and a.action in ('payment.refund', 'payment.void') and a.outcome = 'requested'
        and (not o.lost or (o.id is null and a.created_at >= ${began}))
    ) as refunded
    from (select 1) as one left join dashboard_limits l on l.business_id = ${businessId}::uuid`.execute(db)
  const [row] = rows
  return {
    stepUpAmount: row?.stepUpAmount ?? DEFAULTS.stepUpAmount,
    dailyAmount: row?.dailyAmount ?? DEFAULTS.dailyAmount,
    refunded: row?.refunded ?? (0 as Cents),
  }
}
