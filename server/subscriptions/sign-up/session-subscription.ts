import type { Plan } from '../../catalog/plan-price.ts'
import type { LoadedSession } from '../../checkout/sessions/load-session.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import { newId } from '../../lib/ids.ts'
import type { Cents } from '../../lib/money.ts'
import type { Day } from '../plan/calendar.ts'
import { NEVER_BILLED, type Subscription } from '../subscription.ts'
import { cadenceOf } from './interval.ts'
import type { Start } from './start.ts'

const NAME_MAX = 255

/** Returns what the payer of a session of mode subscription signs up for. */
export function signedUpFor({ subscription }: Session): NonNullable<Session['subscription']> {
  if (subscription === null) throw new Error('a session of mode subscription does not say what it begins')
  return subscription
}

/**
 * Returns the plan that the session asks for in place of a price. Tax is separate, unless nothing would be left without
 * it.
 */
export function planOf(session: Session): Plan {
  const { interval, name } = signedUpFor(session)
  const items = (session.lineItems ?? []).map((item) => item.name).join(', ')
  return {
    businessId: session.businessId,
    name: name ?? (items.slice(0, NAME_MAX) || interval),
    unitAmount: (session.amountTotal - taxOf(session)) as Cents,
    currency: session.currency,
    cadence: cadenceOf(interval),
  }
}

function taxOf({ amountTotal, amountTax }: Session): Cents {
  return amountTax !== null && amountTax < amountTotal ? amountTax : (0 as Cents)
}

/**
 * Returns the subscription that the session begins, before its first bill.
 *
 * @param surchargeAmount amount of each bill's surcharge, for the card that signs up
 * @see CHK-19
 */
export function subscriptionOfSession(
  { session, business }: Pick<LoadedSession, 'session' | 'business'>,
  { anchor }: Start,
  of: { customerId: string; storedCardId: string; priceId: string; surchargeAmount: Cents; createdAt: Date },
): Subscription {
  const { amountTotal, surchargeRateBp } = session
  const { unitAmount, cadence } = planOf(session)
  const hasSurcharge = of.surchargeAmount > 0
  return {
    ...NEVER_BILLED,
    taxRatePpm: null,
    installments: null,
    sendsPaymentLink: false,
    businessId: session.businessId,
    id: newId(),
    customerId: of.customerId,
    storedCardId: of.storedCardId,
    currency: session.currency,
    timeZone: business.timeZone,
    items: [{ id: newId(), priceId: of.priceId, quantity: 1 }],
    cadence,
    unitAmount,
    quantity: 1,
    taxAmount: taxOf(session),
    // A card that must not be surcharged has the rate 0 (BIL-16).
    surchargeRatePpm: surchargeRateBp === null ? null : hasSurcharge ? surchargeRateBp * 100 : 0,
    surchargeAmount: of.surchargeAmount,
    amount: (amountTotal + of.surchargeAmount) as Cents,
    startDate: (signedUpFor(session).start_date as Day | null) ?? anchor,
    anchorDate: anchor,
    checkoutSessionId: session.id,
    metadata: session.metadata ?? {},
    createdAt: of.createdAt,
  }
}
