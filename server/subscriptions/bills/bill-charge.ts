import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { openFoundCard } from '../../customers/open-stored-card.ts'
import type { ApprovedResult, StoredCredential } from '../../gateway/gateway.ts'
import type { ChargePlan, Declined, Recording } from '../../payments/charge/charge-plan.ts'
import { approvalOf, declineOf } from '../../payments/charge/record-result.ts'
import { type NewSale, newSale } from '../../payments/new-operation.ts'
import type { NewPayment } from '../../payments/payment.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { Card } from '../../vault/card.ts'
import type { Subscription } from '../subscription.ts'
import type { DetailServices } from '../subscription-details.ts'
import { findSubscription } from '../subscription-queries.ts'
import { recordDeclinedBill, type Written } from './bill-charge-queries.ts'
import { type Attempt, approvedRecord, declinedRecord, type OpenBill } from './bill-record.ts'
import { type BillWrites, WRITTEN_ALONE } from './bill-writes.ts'

export type BillServices = ChargeServices &
  DetailServices & {
    /** By default, each step of a charge is written by itself. */
    billWrites?: BillWrites
  }

/** A subscription changes only a few times while its charge is recorded. */
const WRITES_MAX = 10

/** Bill to be charged now. */
export interface DueBill {
  business: Business
  terminal: Terminal
  card: BilledCard
  /** State as it was loaded. */
  before: OpenBill | (Omit<OpenBill, 'bill'> & { bill: null })
  /** State with the bill to be charged, whether it is opened now or was open already. */
  charged: OpenBill
  trigger: NewPayment['trigger']
  /** Id of the charge; a new one by default. */
  id?: string
}

export type BillResponse = 'approved' | 'declined'

/** Returns the charge of a bill, and how each of its steps is recorded. */
export async function billCharge(services: BillServices, due: DueBill): Promise<ChargePlan<OpenBill, BillResponse>> {
  const { db, clock, billWrites = WRITTEN_ALONE } = services
  const { business, charged, before } = due
  // A card past its expiry date is sent unchanged: issuers renew cards under the same number.
  const card = await openFoundCard(services, business.id, due.card)
  const sale = saleOf(services, due, card)
  const now = businessNow(clock, business)
  const bill = { ...charged.bill, lastAttemptAt: now }
  // `due_at` stays the same, so that no index is written: the scheduler ignores a subscription that is being charged.
  const after = { ...charged.subscription, dueAt: before.subscription.dueAt }
  const attempt = () => ({ ...due, sale, now: businessNow(clock, business) })
  return {
    operation: sale,
    card,
    request: {
      customer: { ...(card.nameOnCard && { name: card.nameOnCard }) },
      storedCredential: storedCredentialOf(after, card),
    },
    async begin() {
      const { version } = before.subscription
      const begun = { subscription: { ...after, version: version + 1 }, bill, pause: before.pause, isCharging: true }
      return (await billWrites.begin(db, { before, after, bills: [bill] }, sale)) ? begun : null
    },
    approve: (result, begun) => approval(services, attempt, begun, result),
    decline: (result, begun) => decline(services, attempt, begun, result),
  }
}

function saleOf(services: BillServices, { business, terminal, charged, id }: DueBill, card: Card): NewSale {
  const { clock, timings, vault } = services
  const { amount, customerId, storedCardId } = charged.subscription
  return newSale(
    {
      businessId: business.id,
      owner: { kind: 'bill', id: charged.bill.id },
      terminal,
      amount,
      card: { ...card, fingerprint: vault.fingerprint(business.id, card.number).value },
      storedCard: { id: storedCardId ?? '', customerId },
      ...(id && { id }),
    },
    clock.now(),
    timings,
  )
}

/**
 * Returns the credential of a charge that the customer has agreed to in advance; the network id of the first payment
 * links it to that consent.
 */
export function storedCredentialOf({ installments }: Subscription, { stored }: Card): StoredCredential {
  const { networkTransactionId, dsTransactionId } = stored ?? {}
  return {
    initiator: 'merchant',
    reason: installments === null ? 'recurring' : 'installment',
    initial: false,
    ...(networkTransactionId && { networkTransactionId }),
    ...(dsTransactionId && { dsTransactionId }),
  }
}

function approval(
  services: BillServices,
  attempt: () => Attempt,
  begun: OpenBill,
  result: ApprovedResult,
): Recording<BillResponse> {
  const { db, clock, billWrites = WRITTEN_ALONE } = services
  const outcome = approvalOf(attempt().sale, result, clock.now())
  return {
    trigger: outcome.trigger,
    write: () =>
      writeOutcome(services, begun, async (current) =>
        billWrites.paid(db, await approvedRecord(services, attempt(), current, result), outcome),
      ),
    response: 'approved',
  }
}

function decline(
  services: BillServices,
  attempt: () => Attempt,
  begun: OpenBill,
  result: Declined,
): Recording<BillResponse> {
  const { outcome, reversal } = declineOf(attempt().sale, result, services.clock.now(), services)
  return {
    trigger: outcome.trigger,
    write: () =>
      writeOutcome(services, begun, async (current) => {
        const { chargeBlock, ...record } = await declinedRecord(services, attempt(), current, result)
        return recordDeclinedBill(services.db, record, { outcome, reversal, chargeBlock })
      }),
    response: 'declined',
  }
}

/**
 * Writes an outcome, decided on the current state of the subscription: a cancel or a scheduled pause may change it
 * while its charge is open (SUB-10).
 *
 * @returns `false` if another writer has already decided the outcome
 */
async function writeOutcome(
  { db }: BillServices,
  begun: OpenBill,
  write: (current: OpenBill) => Promise<Written>,
): Promise<boolean> {
  let current = begun
  for (let writes = 0; writes < WRITES_MAX; writes++) {
    const written = await write(current)
    if (written !== 'version moved') return written === 'written'
    const { businessId, id } = begun.subscription
    const loaded = await findSubscription(db, businessId, id)
    // The bill is already finalized, either by an earlier write whose acknowledgement was lost or by recovery.
    if (loaded?.bill?.id !== begun.bill.id) return false
    current = { ...loaded, bill: loaded.bill }
  }
  throw new Error('the subscription changes faster than the outcome of its charge can be recorded')
}
