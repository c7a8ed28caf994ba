import type { Cents } from '../../lib/money.ts'
import { billingDay, type Day } from '../plan/calendar.ts'
import type { PlannedSubscription } from './plan-subscription.ts'

/** What a new subscription would charge, and when. */
export interface NewSubscriptionFigures {
  chargedNow: Cents
  /** Days of the next bills, after what is charged now; at most four. */
  nextDays: Day[]
  /** Last billing day of an installment plan; `null` if the subscription has no end. */
  lastDay: Day | null
  planTotal: Cents | null
  /** Why the card pays no surcharge; `null` if it pays one, or if there is no rate. */
  surchargeWaived: 'funding' | 'place' | null
}

const SHOWN = 4

/**
 * Returns the figures of a planned subscription. Without a card, the days are those that result if the customer enters
 * one today.
 *
 * @see BIL-6, BIL-10
 */
export function figuresOf(planned: PlannedSubscription): NewSubscriptionFigures {
  const { waiting, first } = planned
  const { anchorDate, cadence, installments, amount } = waiting
  const next = first === 'charge' ? 1 : 0
  const left = installments === null ? SHOWN : Math.min(SHOWN, installments - next)
  return {
    chargedNow: (first === 'charge' ? amount : 0) as Cents,
    nextDays: Array.from({ length: left }, (_none, index) => billingDay(anchorDate, cadence, next + index)),
    lastDay: installments === null ? null : billingDay(anchorDate, cadence, installments - 1),
    planTotal: installments === null ? null : ((amount * installments) as Cents),
    surchargeWaived: waivedOf(planned),
  }
}

function waivedOf({ order, terms, parts: { card } }: PlannedSubscription) {
  if (!order.surchargeRatePpm || card === null || terms.surchargeRatePpm !== 0) return null
  return card.funding === 'credit' ? 'place' : 'funding'
}
