import type { ResumedSubscription } from '../../../contract/subscription.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { transaction } from '../../db/transaction.ts'
import type { ApprovedResult } from '../../gateway/gateway.ts'
import type { ChargePlan, Declined, Recording } from '../../payments/charge/charge-plan.ts'
import { approvalOf, declineOf } from '../../payments/charge/record-result.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import { type NewSale, newSale } from '../../payments/new-operation.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { Card } from '../../vault/card.ts'
import { storedCredentialOf } from '../bills/bill-charge.ts'
import { cardDeclined } from '../charge-refusal.ts'
import { recordResumed } from './record-resumed.ts'
import type { ResumeOffer } from './resumable.ts'
import { declinedResume, type ResumedPeriod, resumePayment } from './resume-payment.ts'
import { beginResume, recordDeclinedResume } from './resume-queries.ts'
import type { ClaimedKey } from './resume-request-queries.ts'

/** Resume that charges the card. */
export interface ResumeCharge {
  business: Business
  terminal: Terminal
  card: Card
  offer: ResumeOffer
  chargeId?: string | undefined
  claim: ClaimedKey | null
}

/** Response of a resume, set once it is durable. */
export interface ResumeResponse {
  resumed: ResumedSubscription | null
  declined: ReturnType<typeof cardDeclined> | null
}

/**
 * Returns the charge that ends a pause. Nothing of the subscription changes before the approval, and a decline changes
 * nothing.
 *
 * @see SUB-27, SUB-33
 */
export function resumeCharge(services: ChargeServices, charged: ResumeCharge): ChargePlan<string, ResumeResponse> {
  const { db, clock, timings, vault } = services
  const { business, terminal, card, offer, chargeId } = charged
  const { subscription, pause } = offer.paused
  const { id, customerId, storedCardId } = subscription
  if (storedCardId === null) throw new Error(`the paused subscription ${id} has no card`)
  const sale = newSale(
    {
      businessId: business.id,
      owner: { kind: 'subscription_resume', id: pause.id },
      terminal,
      amount: offer.terms.chargeDueToday,
      card: { ...card, fingerprint: vault.fingerprint(business.id, card.number).value },
      storedCard: { id: storedCardId, customerId },
      ...(chargeId && { id: chargeId }),
    },
    clock.now(),
    timings,
  )
  return {
    operation: sale,
    card,
    request: {
      ...(card.nameOnCard && { customer: { name: card.nameOnCard } }),
      storedCredential: storedCredentialOf(subscription, card),
    },
    begin: () => beginResume(db, subscription, sale),
    approve: (result) => approval(services, charged, sale, result),
    decline: (result) => decline(services, charged, sale, result),
  }
}

/**
 * Returns how an approval is recorded: under the lock, because the subscription may be canceled, or its card replaced,
 * while the charge is open.
 */
function approval(
  services: ChargeServices,
  charged: ResumeCharge,
  sale: NewSale,
  result: ApprovedResult,
): Recording<ResumeResponse> {
  const { db, clock } = services
  const now = businessNow(clock, charged.business)
  const { code, message, issuerReference } = result
  const payment = resumePayment(periodOf(charged), sale, { code, message, issuerReference, status: 'succeeded' }, now)
  const outcome = approvalOf(sale, result, clock.now())
  const response: ResumeResponse = { resumed: null, declined: null }
  return {
    trigger: outcome.trigger,
    async write() {
      const resumed = await transaction(db, (tx) =>
        recordResumed({ ...services, db: tx }, { ...charged, payment, outcome, now }),
      )
      response.resumed = resumed
      return resumed !== null
    },
    response,
  }
}

function decline(
  services: ChargeServices,
  charged: ResumeCharge,
  sale: NewSale,
  result: Declined,
): Recording<ResumeResponse> {
  const { db, clock } = services
  const createdAt = businessNow(clock, charged.business)
  const { code, message } = result
  const { payment, event } = declinedResume(periodOf(charged), sale, { code, message }, createdAt)
  const { outcome, reversal } = declineOf(sale, result, clock.now(), services)
  const declined = cardDeclined({ code, message })
  const { message: text, errors, extra } = declined.detail
  const stored = { status: 402 as const, body: { message: text, ...(errors && { errors }), ...(extra && { extra }) } }
  const record = { outcome, payment, claim: charged.claim, response: stored, event }
  const chargeBlock = chargeBlockOf(result)
  return {
    trigger: outcome.trigger,
    write: () => recordDeclinedResume(db, record, { reversal, chargeBlock }),
    response: { resumed: null, declined },
  }
}

function periodOf({ offer, card }: ResumeCharge): ResumedPeriod {
  const { newPeriodStart: start, newPeriodEnd: end } = offer.terms
  return { subscription: offer.paused.subscription, card, period: { start, end } }
}
