import type { CatchUpBlock, CatchUpPreview, DecidedBills } from '../../../contract/dashboard/bill-views.ts'
import { businessNow } from '../../businesses/business.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import { billsAfterDecision, type MissedBills } from '../../subscriptions/bills/release-catch-up.ts'
import { isUnsigned } from '../../subscriptions/contract.ts'
import {
  type LifecycleServices,
  readCurrentSubscription,
  type WhichSubscription,
} from '../../subscriptions/lifecycle/change-subscription.ts'
import type { LoadedSubscription } from '../../subscriptions/subscription.ts'
import { previewHash } from '../preview-hash.ts'
import { cardView } from './subscription-summary.ts'

const PERIODS_SHOWN = 12

/**
 * Previews what the decision about missed bills would charge and leave out.
 *
 * @throws ApiError `not_found`; `conflict` when no bills are held
 * @see BIL-11
 */
export async function previewCatchUp(
  services: Pick<LifecycleServices, 'db' | 'clock'>,
  { missed, ...which }: WhichSubscription & { missed: MissedBills },
): Promise<CatchUpPreview> {
  const loaded = await readCurrentSubscription(services, which)
  const { businessId, storedCardId, amount, currency } = loaded.subscription
  const { charged, skipped } = billsAfterDecision(loaded, missed, businessNow(services.clock, which.business))
  const card = await findBilledCard(services.db, businessId, storedCardId)
  const shown = {
    object: 'subscription_catch_up_preview' as const,
    missed,
    currency: currency === 'USD' ? ('usd' as const) : ('cad' as const),
    charged: shownBills(charged, amount),
    skipped: shownBills(skipped, amount),
    card: card ? cardView(card) : null,
    blocked: unpaidReason(loaded, card),
  }
  return { ...shown, preview_hash: previewHash(shown) }
}

function shownBills(bills: ReturnType<typeof billsAfterDecision>['charged'], amount: number): DecidedBills {
  const periods = bills
    .slice(0, PERIODS_SHOWN)
    .map(({ periodStart: start, periodEnd: end }) => ({ start, end, amount }))
  return { count: bills.length, amount: bills.length * amount, periods }
}

/** Returns why no charge of the card would pay a bill of the subscription; `null` if one would. */
export function unpaidReason(loaded: LoadedSubscription, card: BilledCard | undefined): CatchUpBlock | null {
  if (isUnsigned(loaded)) return 'contract_unsigned'
  if (!card || card.detachedAt !== null) return 'card_detached'
  return card.chargeBlock === null ? null : 'card_blocked'
}
