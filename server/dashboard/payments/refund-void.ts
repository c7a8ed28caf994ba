import type { RefundPreview, Unrefundable, VoidPreview } from '../../../contract/dashboard/payments-api.ts'
import { may, type Permission } from '../../../contract/permissions.ts'
import type { Member } from '../../access/sessions/session.ts'
import { findLetterSettings } from '../../businesses/letter-settings-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import type { Payment } from '../../payments/payment.ts'
import { restOf } from '../../payments/refunds/refund.ts'
import { dayOf, instantOf } from '../../subscriptions/plan/calendar.ts'
import { previewHash } from '../preview-hash.ts'
import { type LoadedPayment, loadPayment, refundImpossible, shownBatch, voidImpossible } from './payment-detail.ts'
import { shownCurrency } from './payment-row.ts'
import { readRefundLimits } from './refund-limit-queries.ts'

// Previews refunds and voids, and checks the limits of the person who asks for one.

export interface RefundContext {
  db: Db
  clock: Clock
  environment: 'staging' | 'production'
}

/** Permission for amounts above a limit. */
export const OVER_LIMIT: Permission = 'payments.refund_over_limit'

/**
 * Whether an amount exceeds a limit of the person: alone, or with what they refunded and voided since midnight.
 *
 * @see DSH-34
 */
export async function isAboveLimit(context: RefundContext, member: Member, amount: Cents): Promise<boolean> {
  const { stepUpAmount, dailyAmount, refunded } = await refundedToday(context, member)
  return amount > stepUpAmount || refunded + amount > dailyAmount
}

/** Whether the person has exceeded the daily limit so far, including the call whose audit row is written. */
export async function hasExceeded(context: RefundContext, member: Member): Promise<boolean> {
  const { dailyAmount, refunded } = await refundedToday(context, member)
  return refunded > dailyAmount
}

function refundedToday({ db, clock }: RefundContext, { business, session: { userId } }: Member) {
  const { id: businessId, timeZone } = business
  const now = clock.now()
  const since = instantOf(dayOf(now, timeZone), timeZone)
  return readRefundLimits(db, { businessId, userId, since, now })
}

/** Returns the amount that a call would refund or void; 0 for a payment that allows none: the use case says why. */
export async function refundedAmountOf(
  db: Db,
  { business }: Member,
  { id, amount }: { id: string; amount: number | undefined },
): Promise<Cents> {
  const { payment } = await loadPayment(db, business.id, id)
  return (amount ?? (payment ? restOf(payment) : 0)) as Cents
}

/** @throws ApiError `not_found`, `conflict` with the reason, `validation_failed` for more than the rest */
export async function previewRefund(
  context: RefundContext,
  member: Member,
  { id, amount: wanted }: { id: string; amount: number | undefined },
): Promise<RefundPreview> {
  const loaded = await loadPayment(context.db, member.business.id, id)
  const payment = possible(loaded, refundImpossible(loaded), 'refunded')
  const rest = restOf(payment)
  const amount = (wanted ?? rest) as Cents
  if (amount > rest) {
    const text = `must be at most ${decimalFromCents(rest)} ${payment.currency}, which remain of the payment`
    throw invalidField('amount', text)
  }
  const figures = {
    object: 'refund_preview' as const,
    payment: payment.id,
    currency: shownCurrency(payment.currency),
    amount,
    paid_amount: payment.amount,
    refunded_amount: payment.refundedAmount,
    pending_amount: payment.refundPendingAmount,
    rest_amount: rest - amount,
    surcharge_amount: payment.surchargeAmount,
    subscription: payment.subscriptionId,
  }
  const letters = await refundLetters(context.db, loaded)
  return { ...figures, letters, ...(await limitsOf(context, member, amount)), preview_hash: previewHash(figures) }
}

/** @throws ApiError `not_found`, `conflict` with the reason */
export async function previewVoid(context: RefundContext, member: Member, id: string): Promise<VoidPreview> {
  const loaded = await loadPayment(context.db, member.business.id, id)
  const payment = possible(loaded, voidImpossible(loaded), 'voided')
  const figures = {
    object: 'void_preview' as const,
    payment: payment.id,
    currency: shownCurrency(payment.currency),
    amount: payment.amount,
    batch: loaded.facts && shownBatch(loaded.facts),
    subscription: payment.subscriptionId,
  }
  const limits = await limitsOf(context, member, payment.amount)
  return { ...figures, letters: [], ...limits, preview_hash: previewHash(figures) }
}

function possible({ payment }: LoadedPayment, impossible: Unrefundable | null, what: string): Payment {
  if (payment !== null && impossible === null) return payment
  throw new ApiError('conflict', {
    message: `This payment cannot be ${what} at present (${impossible})`,
    extra: { reason: impossible },
  })
}

async function limitsOf(context: RefundContext, member: Member, amount: Cents) {
  const needsStepUp = await isAboveLimit(context, member, amount)
  const isOverLimit = needsStepUp && !may(member.role, OVER_LIMIT, context.environment)
  return { needs_step_up: needsStepUp, is_over_limit: isOverLimit }
}

/** @see LTR-6, LTR-14 */
async function refundLetters(db: Db, { row, payment }: LoadedPayment): Promise<RefundPreview['letters']> {
  if (row.customerEmail === null || payment?.customerId == null) return []
  const { lettersOff } = await findLetterSettings(db, payment.businessId)
  return lettersOff.includes('customer.refund') ? [] : [{ audience: 'customer', recipient: row.customerEmail }]
}
