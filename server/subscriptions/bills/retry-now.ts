import type { Business } from '../../businesses/business.ts'
import { findTerminal } from '../../businesses/terminal-queries.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import { responseOf } from '../../payments/charge/charged.ts'
import type { Payment } from '../../payments/payment.ts'
import { findSubscriptionPayment } from '../../payments/payment-queries.ts'
import { requireSigned } from '../contract.ts'
import { findCurrentSubscription } from '../lifecycle/change-subscription.ts'
import { conflict, type LoadedSubscription } from '../subscription.ts'
import { findSubscription } from '../subscription-queries.ts'
import { type BillServices, billCharge, type DueBill } from './bill-charge.ts'
import type { OpenBill } from './bill-record.ts'

/**
 * Charges the open bill of a subscription now, at the merchant's request. A decline counts as an attempt.
 *
 * @param id id of the charge, by which a caller that lost the response finds it again; a new one by default. No id is
 *   charged twice.
 * @returns the payment, `succeeded` or `failed`
 * @throws ApiError `not_found`; `conflict` if there is no open bill, its charge is open, or its card may not be
 *   charged; `contract_unsigned`, `gateway_timeout`, `gateway_unavailable`
 * @see SUB-34, BIL-17
 */
export async function retryNow(
  services: BillServices,
  { business, subscriptionId, id }: { business: Business; subscriptionId: string; id?: string },
): Promise<Payment> {
  const loaded = await findCurrentSubscription(services, { business, id: subscriptionId })
  const plan = await beforeIntent(services, async () =>
    billCharge(services, { ...(await planned(services, business, loaded)), ...(id && { id }) }),
  )
  const charged = await charge(services, plan)
  if (charged.outcome === 'blocked') throw conflict('The subscription is being changed by another request. Try again.')
  responseOf(charged)
  const after = await findSubscription(services.db, business.id, subscriptionId)
  const paymentId = after?.subscription.latestPaymentId
  const payment = paymentId && (await findSubscriptionPayment(services.db, business.id, paymentId))
  if (!payment) throw new Error('the payment of a charged bill is missing')
  return payment
}

async function planned(services: BillServices, business: Business, loaded: LoadedSubscription): Promise<DueBill> {
  const { businessId, storedCardId, currency } = loaded.subscription
  const charged = openBillOf(loaded)
  requireSigned(loaded)
  const card = await findBilledCard(services.db, businessId, storedCardId)
  const terminal = await findTerminal(services.db, businessId, currency)
  if (!card || !terminal) throw new Error('the subscription has no card, or the business no terminal')
  if (card.detachedAt !== null) throw conflict('The card was detached')
  if (card.chargeBlock !== null) throw conflict('The card networks forbid charges of this card without the payer')
  return { business, terminal, card, before: loaded, charged, trigger: 'manual' }
}

function openBillOf(loaded: LoadedSubscription): OpenBill {
  const { bill, isCharging } = loaded
  if (!bill) throw conflict('The subscription has no open bill')
  if (isCharging) throw conflict('A charge of the subscription is in progress or being resolved')
  return { ...loaded, bill }
}
