import { type Business, businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { findBilledCard, setChargeBlock } from '../../customers/billed-card-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AdoptingOwner, Unpaid } from '../../payments/charge-owner.ts'
import type { Operation } from '../../payments/operation.ts'
import { recordPayment } from '../../payments/payment-queries.ts'
import { saveChange } from '../change-queries.ts'
import { unchargedBill } from '../lifecycle/bill-outcome.ts'
import { lockSubscription } from '../subscription-queries.ts'
import type { BillRecord } from './bill-charge-queries.ts'
import { findSubscriptionOfBill } from './bill-queries.ts'
import { type Attempt, approvedRecord, declinedRecord, type OpenBill } from './bill-record.ts'
import { triggerOf } from './trigger.ts'

/**
 * Adopts what recovery finds, because nobody got a result of the bill's charge: an approval pays the bill, a decline
 * counts as an attempt.
 *
 * @see PAY-23, BIL-21
 */
export function billOwner({ clock }: { clock: Clock }): AdoptingOwner {
  return {
    kind: 'bill',
    onRecoveredApproval: 'adopt',
    unconfirmedMessage: 'The bill is paid, or charged again, once the outcome is known.',
    // The events are recorded with the bill.
    failed: async () => null,
    async adopt(tx, sale, { code, message, issuerReference }) {
      const { loaded, attempt } = await lockAttempt(tx, clock, sale)
      await save(tx, await approvedRecord({ db: tx }, attempt, loaded, { code, message, issuerReference }))
    },
    async release(tx, sale, unpaid) {
      const { loaded, attempt } = await lockAttempt(tx, clock, sale)
      await releaseBill(tx, loaded, attempt, unpaid)
    },
  }
}

async function releaseBill(tx: Tx, loaded: OpenBill, attempt: Attempt, unpaid: Unpaid): Promise<void> {
  if (unpaid.kind === 'not charged') return saveLocked(tx, { before: loaded, ...unchargedBill(loaded, attempt.now) })
  const { chargeBlock, ...record } = await declinedRecord({ db: tx }, attempt, loaded, unpaid)
  await save(tx, record)
  const { businessId, storedCardId } = record.payment
  if (chargeBlock !== null && storedCardId !== null) await setChargeBlock(tx, businessId, storedCardId, chargeBlock)
}

async function save(tx: Tx, { change, payment }: BillRecord): Promise<void> {
  await saveLocked(tx, change)
  await recordPayment(tx, payment)
}

async function saveLocked(tx: Tx, change: BillRecord['change']): Promise<void> {
  if (!(await saveChange(tx, change))) throw new Error('a locked subscription has changed')
}

/** Locks the subscription of the charge, and loads what the outcome is decided on. */
async function lockAttempt(
  tx: Tx,
  clock: Clock,
  sale: Operation,
): Promise<{ loaded: OpenBill; attempt: Attempt & { business: Business } }> {
  const { businessId, owner, storedCard } = sale
  const subscriptionId = await findSubscriptionOfBill(tx, businessId, owner.id)
  const loaded = subscriptionId === null ? undefined : await lockSubscription(tx, businessId, subscriptionId)
  if (loaded?.bill?.id !== owner.id) throw new Error('the bill of an open charge is not open')
  const business = await findBusiness(tx, businessId)
  const card = await findBilledCard(tx, businessId, storedCard?.id)
  if (!business || !card) throw new Error('the business or the card of a charge is missing')
  const { bill } = loaded
  return {
    loaded: { ...loaded, bill },
    attempt: { business, sale, card, trigger: triggerOf(bill), now: businessNow(clock, business) },
  }
}
