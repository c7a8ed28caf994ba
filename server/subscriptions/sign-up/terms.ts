import type { FormSubscription } from '../../../contract/form-subscription.ts'
import type { LoadedSession } from '../../checkout/sessions/load-session.ts'
import { decimalFromCents } from '../../lib/money.ts'
import { billingDay, type Day, dayOf } from '../plan/calendar.ts'
import { cadenceOf } from './interval.ts'
import { signedUpFor } from './session-subscription.ts'
import { type Start, startOf } from './start.ts'

/**
 * Returns when the subscription of a session begins. The business's setting applies only to subscriptions of the
 * merchant API (SUB-2).
 */
export function startOfSession({ session, business, now }: LoadedSession): Start {
  const { replaces_card, start_date, time_zone: timeZone = business.timeZone } = signedUpFor(session)
  // The schedule of the subscription stays the same.
  if (replaces_card) return { anchor: dayOf(now, business.timeZone), isChargedNow: false }
  const firstCharge = session.clientId === null ? business.firstCharge : 'on_start_date'
  return startOf(start_date as Day | null, now, { timeZone, firstCharge })
}

/** Returns what the form shows of the subscription. @see PAG-28 */
export function formTerms(loaded: LoadedSession, installments: number | null): FormSubscription {
  const { interval, name, start_date, replaces_card } = signedUpFor(loaded.session)
  const { anchor, isChargedNow } = startOfSession(loaded)
  return {
    interval,
    name,
    start_date,
    first_charge: isChargedNow ? decimalFromCents(loaded.session.amountTotal) : 0,
    first_charge_date: anchor,
    next_charge_date: installments === 1 ? null : billingDay(anchor, cadenceOf(interval), 1),
    installments,
    ...(replaces_card && { replaces_card }),
  }
}
