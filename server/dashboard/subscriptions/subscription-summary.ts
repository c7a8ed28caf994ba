import type { CardView, SubscriptionSummary } from '../../../contract/dashboard/subscription-views.ts'
import { frequencyOf, STATUS_WORDS } from '../../../contract/dashboard/subscription-words.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { findBilledCards } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ATTEMPTS_MAX } from '../../subscriptions/plan/retries.ts'
import type { LoadedSubscription } from '../../subscriptions/subscription.ts'
import { associationOf } from '../../vault/card-brands.ts'
import { findCustomerNames } from '../customer-name-queries.ts'
import { readDescriptions } from '../describe-items.ts'

/** Reads what pages show of the subscriptions of one business beyond their own rows. */
export async function readSummaries(
  db: Db,
  businessId: string,
  subscriptions: readonly LoadedSubscription[],
): Promise<(one: LoadedSubscription) => SubscriptionSummary> {
  const all = subscriptions.map(({ subscription }) => subscription)
  const cardIds = all.flatMap(({ storedCardId }) => storedCardId ?? [])
  const [customers, cards, describe] = await Promise.all([
    findCustomerNames(
      db,
      businessId,
      all.map(({ customerId }) => customerId),
    ),
    findBilledCards(
      db,
      [...new Set(cardIds)].map((id) => ({ businessId, id })),
    ),
    readDescriptions(db, businessId, all),
  ])
  return (loaded) => {
    const { customerId, storedCardId } = loaded.subscription
    const { name = null, email = null } = customers.get(customerId) ?? {}
    const card = storedCardId === null ? undefined : cards.get(storedCardId)
    return {
      ...stateOf(loaded),
      customer: { id: customerId, name, email },
      description: describe(loaded.subscription),
      card: card ? cardView(card) : null,
    }
  }
}

function stateOf({ subscription, bill, isCharging }: LoadedSubscription) {
  const { status, cadence, timeZone, nextBillingDate, catchUpHeldAt, metadata } = subscription
  const { label, sequence } = frequencyOf(cadence.interval, cadence.count)
  const { reference } = metadata
  return {
    status: STATUS_WORDS[status],
    frequency: { label, sequence },
    time_zone: timeZone,
    next_billing_date: nextBillingDate,
    retry:
      bill && bill.failedAttempts > 0
        ? {
            attempt: bill.failedAttempts + 1,
            of: ATTEMPTS_MAX,
            at: bill.nextAttemptAt && epochSeconds(bill.nextAttemptAt),
          }
        : null,
    is_charging: isCharging,
    is_held: catchUpHeldAt !== null,
    reference: reference === undefined ? null : String(reference),
  }
}

export function cardView({ id, brand, last4, expMonth, expYear, chargeBlock, detachedAt }: BilledCard): CardView {
  return {
    id,
    brand: associationOf(brand),
    last4,
    exp_month: expMonth,
    exp_year: expYear,
    charge_block: chargeBlock,
    is_detached: detachedAt !== null,
  }
}
