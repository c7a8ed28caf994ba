import { type Limits, LimitsChange } from '../../../contract/dashboard/settings-api.ts'
import { checkLimits, type DashboardLimits } from '../../access/members/limits.ts'
import { findLimits, saveLimits } from '../../access/members/limits-queries.ts'
import type { Session } from '../../access/sessions/session.ts'
import { changesBetween } from '../../audit/changes.ts'
import { lockBusiness } from '../../businesses/business-queries.ts'
import type { Route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requireVersion, versionOf } from '../version.ts'

/** Returns the routes for what people may do without proving again who they are (DSH-34). */
export function limitsRoutes(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /settings/limits', {
      permission: 'settings.read',
      handle: async ({ member }) => ({ body: limitsView(await findLimits(db, member.business.id)) }),
    }),
    dashboard.write('PATCH /settings/limits', {
      permission: 'limits.write',
      action: 'limits.change',
      body: LimitsChange,
      stepUp: 'limits',
      async handle({ member, body: { version, ...sent } }, tx) {
        const { id } = member.business
        await lockBusiness(tx, id)
        const old = await findLimits(tx, id)
        requireVersion(version, limitsView(old))
        const limits = limitsFrom({ ...members(old), ...sent })
        checkLimits(limits)
        checkOwnFactor(limits, old, member.session)
        await saveLimits(tx, id, limits)
        const change = changesBetween(members(old), members(limits))
        return { body: limitsView(limits), audit: { object: { type: 'business', id }, ...change } }
      },
    }),
  ]
}

/** Refuses a person without a second factor who would require one of everyone: the change would lock them out. */
function checkOwnFactor({ secondFactorRequired }: DashboardLimits, old: DashboardLimits, { proof }: Session): void {
  if (!secondFactorRequired || old.secondFactorRequired || proof !== 'password') return
  throw invalidField('second_factor_required', 'add a second factor to your own account first, and sign in with it')
}

type LimitsMembers = Omit<Limits, 'object' | 'version'>

const members = (limits: DashboardLimits): LimitsMembers => ({
  refund_step_up_amount: limits.refundStepUpAmount,
  refund_daily_amount: limits.refundDailyAmount,
  customer_export_rows: limits.customerExportRows,
  second_factor_required: limits.secondFactorRequired,
  session_minutes: limits.sessionMinutes,
})

const limitsFrom = (sent: LimitsMembers): DashboardLimits => ({
  refundStepUpAmount: sent.refund_step_up_amount as Cents,
  refundDailyAmount: sent.refund_daily_amount as Cents,
  customerExportRows: sent.customer_export_rows,
  secondFactorRequired: sent.second_factor_required,
  sessionMinutes: sent.session_minutes,
})

const limitsView = (limits: DashboardLimits): Limits => ({
  object: 'dashboard_limits',
  ...members(limits),
  version: versionOf(members(limits)),
})
