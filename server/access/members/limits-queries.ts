import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Cents } from '../../lib/money.ts'
import { type DashboardLimits, DEFAULT_LIMITS } from './limits.ts'

/** Finds the limits of a business, or the defaults if it has set none. */
export async function findLimits(db: Db, businessId: string): Promise<DashboardLimits> {
  const row = await db
    .selectFrom('dashboard_limits')
    .selectAll()
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  if (!row) return DEFAULT_LIMITS
  return {
    refundStepUpAmount: row.refund_step_up_amount as Cents,
    refundDailyAmount: row.refund_daily_amount as Cents,
    customerExportRows: row.customer_export_rows,
    secondFactorRequired: row.second_factor_required,
    sessionMinutes: row.session_minutes,
  }
}

export async function saveLimits(tx: Tx, businessId: string, limits: DashboardLimits): Promise<void> {
  const values = {
    refund_step_up_amount: limits.refundStepUpAmount,
    refund_daily_amount: limits.refundDailyAmount,
    customer_export_rows: limits.customerExportRows,
    second_factor_required: limits.secondFactorRequired,
    session_minutes: limits.sessionMinutes,
  }
  await tx
    .insertInto('dashboard_limits')
    .values({ business_id: businessId, ...values })
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet(values))
    .execute()
}
