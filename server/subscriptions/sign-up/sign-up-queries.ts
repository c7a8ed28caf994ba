import type { PlanPrice } from '../../catalog/plan-price.ts'
import { planPriceMembers, planPriceValues } from '../../catalog/plan-price-queries.ts'
import { completeSignUp, lockPending } from '../../checkout/sessions/completion-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run } from '../../db/statement.ts'
import { insertPayment } from '../../payments/payment-queries.ts'
import { approveSale } from '../../payments/sale-queries.ts'
import {
  changeMembers,
  changeValues,
  createMembers,
  createValues,
  type NewSubscription,
  type SubscriptionChange,
} from '../change-queries.ts'
import {
  partyMembers,
  partyValues,
  paymentValues,
  type SignUpParties,
  type SignUpPayment,
  type Variant,
  variantOf,
  variants,
  withIds,
} from './party-queries.ts'

// Like every payment of a session, a sign-up is one statement: the customer, the card, the subscription, its first bill
// and payment, the session and all events exist together or not at all (CHK-20).

/**
 * Condition that the session has no sale, as expected if its card is only verified; a sale that was sent anyway
 * prevents the write.
 */
const NO_SALE = `not exists (select from operation o
    where o.business_id = c.business_id and o.owner_id = c.id and not o.lost and o.parent_id is null)`

/** Members up to `ids`: the session, the sale, the customer and the card. */
function commonMembers(p: Placeholders, variant: Variant, also = ''): string {
  const { isCharged } = variant
  const condition = `exists (select from ${also ? 'waiting' : 'locked'})`
  const approved = isCharged
    ? approveSale(p, condition)
    : `finalized as (select c.id from checkout_session c
      where c.business_id = ${p.businessId}::uuid and c.id = ${p.sessionId}::uuid and ${condition} and ${NO_SALE})`
  return `${lockPending(p)}, ${also} ${approved}, ${partyMembers(p, 'finalized', variant)}, ${completeSignUp(p, 'ids')}`
}

const paidMember = (p: Placeholders, { isCharged }: Variant) =>
  isCharged ? `, paid as (${insertPayment(p, 'ids')})` : ''

function createText(p: Placeholders, variant: Variant): string {
  const filled = withIds(p, variant)
  return `with ${commonMembers(p, variant)},
  ${planPriceMembers(p, 'finalized')},
  ${createMembers(filled, 'ids')} ${paidMember(filled, variant)}
  select id from created`
}

/** Locks the subscription after its session, as the start of a charge does. */
const lockWaiting = (p: Placeholders) => `waiting as (
    select s.id from subscription s
    where s.business_id = ${p.businessId}::uuid and s.id = ${p.subscriptionId}::uuid and s.version = ${p.version}::integer
      and exists (select from locked)
    for no key update
  ),`

function activateText(p: Placeholders, variant: Variant): string {
  const filled = withIds(p, variant)
  return `with ${commonMembers(p, variant, lockWaiting(p))},
  ${changeMembers(filled, 'ids')} ${paidMember(filled, variant)}
  select id from saved`
}

const CREATE = variants('sign_up', createText)
const ACTIVATE = variants('activate_subscription', activateText)

/**
 * Records the sign-up that begins a subscription.
 *
 * @param paid `null` if the card was only verified
 * @returns `false` if another writer has already decided the outcome
 */
export async function recordSignUp(
  db: Db,
  parties: SignUpParties,
  paid: SignUpPayment | null,
  made: NewSubscription & { plan: PlanPrice },
): Promise<boolean> {
  const rows = await run(db, CREATE(variantOf(parties, paid)), {
    ...partyValues(parties),
    ...paymentValues(paid),
    ...createValues(made),
    ...planPriceValues(made.plan),
    subscriptionId: made.subscription.id,
  })
  return rows.length > 0
}

/**
 * Activates a subscription that waited for its card.
 *
 * @returns `false` if another writer has changed the subscription or decided the outcome first
 */
export async function recordActivation(
  db: Db,
  parties: SignUpParties,
  paid: SignUpPayment | null,
  change: SubscriptionChange,
): Promise<boolean> {
  const rows = await run(db, ACTIVATE(variantOf(parties, paid)), {
    ...partyValues(parties),
    ...paymentValues(paid),
    ...changeValues(change),
  })
  return rows.length > 0
}
