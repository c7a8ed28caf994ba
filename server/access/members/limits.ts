import { invalidField } from '../../lib/errors.ts'
import { AMOUNT_CENTS_MAX, type Cents } from '../../lib/money.ts'
import { SESSION_SECONDS } from '../sessions/session.ts'

/** Limits of what people of a business may do without proving again who they are (DSH-34), and how they sign in. */
export interface DashboardLimits {
  /** Largest refund without step-up and `payments.refund_over_limit`. */
  refundStepUpAmount: Cents
  /** Largest sum that one person refunds in a day without step-up and `payments.refund_over_limit`. */
  refundDailyAmount: Cents
  /** Largest export of customers without step-up, in rows. */
  customerExportRows: number
  secondFactorRequired: boolean
  /** Longest duration of a sign-in. */
  sessionMinutes: number
}

const SESSION_MINUTES_MIN = 15
const SESSION_MINUTES_MAX = SESSION_SECONDS / 60
const EXPORT_ROWS_MAX = 1_000_000

export const DEFAULT_LIMITS: DashboardLimits = {
  refundStepUpAmount: 50_000 as Cents,
  refundDailyAmount: 200_000 as Cents,
  customerExportRows: 1_000,
  secondFactorRequired: false,
  sessionMinutes: SESSION_MINUTES_MAX,
}

/** @throws ApiError `validation_failed` naming the field */
export function checkLimits(limits: DashboardLimits): void {
  const { refundStepUpAmount, refundDailyAmount, customerExportRows, sessionMinutes } = limits
  checkNumber('refund_step_up_amount', refundStepUpAmount, { min: 0, max: AMOUNT_CENTS_MAX })
  checkNumber('refund_daily_amount', refundDailyAmount, { min: 0, max: AMOUNT_CENTS_MAX })
  checkNumber('customer_export_rows', customerExportRows, { min: 0, max: EXPORT_ROWS_MAX })
  checkNumber('session_minutes', sessionMinutes, { min: SESSION_MINUTES_MIN, max: SESSION_MINUTES_MAX })
}

function checkNumber(field: string, value: number, { min, max }: { min: number; max: number }): void {
  if (Number.isInteger(value) && value >= min && value <= max) return
  throw invalidField(field, `must be a whole number from ${min} to ${max}`)
}
