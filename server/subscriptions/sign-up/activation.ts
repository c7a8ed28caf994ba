import type { PayAttempt } from '../../checkout/pay/pay-attempt.ts'
import { newEvent } from '../../events/event.ts'
import type { Cents } from '../../lib/money.ts'
import type { NewPayment } from '../../payments/payment.ts'
import type { SubscriptionChange } from '../change-queries.ts'
import { transitionEvent } from '../lifecycle/change-subscription.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'
import { type DetailServices, readObject } from '../subscription-details.ts'
import { billPayment, expectedIds, partiesOf, type SignUpInput } from './first-bill.ts'
import type { SignUpParties } from './party-queries.ts'
import { paymentEvents, sessionCompleted } from './sign-up-events.ts'
import { alone, started } from './start.ts'

export interface Activation {
  parties: SignUpParties
  /** Payment of the first bill; `null` if the card was only verified. */
  paid: NewPayment | null
  change: SubscriptionChange
}

/** Decides how a subscription that waits for its card is activated. @see SUB-3 */
export async function activation(
  services: DetailServices,
  before: LoadedSubscription,
  input: SignUpInput,
): Promise<Activation> {
  const { payment, session, start, first, at } = input
  const parties = partiesOf(input)
  const ids = expectedIds(parties, payment)
  const waiting: Subscription = { ...before.subscription, ...surchargedFor(before.subscription, payment), ...ids }
  const {
    subscription: after,
    bills,
    isCompleted,
  } = started(waiting, start, first === null ? null : first.transaction, at)
  const paid = first && billPayment(first, after, bills[0], payment)
  const { businessId, id: objectId } = after
  const changed = { ...before, ...alone(after) }
  const activated = await transitionEvent(services, { before, changed, type: 'subscription.activated', createdAt: at })
  const object = await readObject(services, changed)
  const completed = newEvent({ businessId, type: 'subscription.completed', objectId, data: { object }, createdAt: at })
  const events = [
    ...(activated ? [activated] : []),
    ...paymentEvents(paid),
    ...(isCompleted ? [completed] : []),
    sessionCompleted(session, {
      ...ids,
      subscriptionId: objectId,
      transaction: first === null ? null : first.transaction,
      at,
    }),
  ]
  return { parties, paid, change: { before, after, bills, events } }
}

/** Returns the surcharge; the rate is 0 for a card that must not be surcharged (BIL-16). */
function surchargedFor(
  { surchargeRatePpm, surchargeAmount, amount }: Subscription,
  { surchargeAmount: ofCard }: PayAttempt,
): Partial<Subscription> {
  if (surchargeRatePpm === null || ofCard > 0) return {}
  return { surchargeRatePpm: 0, surchargeAmount: 0 as Cents, amount: (amount - surchargeAmount) as Cents }
}
