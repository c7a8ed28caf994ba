import type { Tx } from '../../db/transaction.ts'
import { transaction } from '../../db/transaction.ts'
import type { DeclinedResult } from '../../gateway/gateway.ts'
import type { ChargeOwner, FailureReason, Unpaid } from '../charge-owner.ts'
import type { NewOperation } from '../new-operation.ts'
import { fenceOf, type Operation, type OperationTrigger } from '../operation.ts'
import type { Outcome } from '../outcome-queries.ts'
import { finalize, finalizeWithReversal } from '../outcome-queries.ts'
import type { PaymentServices } from '../services.ts'

/** Rolls back the owner's record when another writer has decided the outcome first. */
class DecidedMeanwhile extends Error {}

/**
 * Runs the owner's record and the statement that finalizes its sale in one transaction.
 *
 * @returns `false`, with nothing written, when another writer has decided the outcome first
 */
export async function recordTogether(
  { db }: Pick<PaymentServices, 'db'>,
  record: (tx: Tx) => Promise<void>,
  finalized: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await record(tx)
    if (!(await finalized(tx))) throw new DecidedMeanwhile()
    return true
  }).catch((error: unknown) => {
    if (error instanceof DecidedMeanwhile) return false
    throw error
  })
}

/** How and why a sale ended that provably took no money. */
export interface UnpaidOutcome extends FailureReason {
  trigger: OperationTrigger
  advice?: DeclinedResult['advice']
}

/** Finalizes a sale that provably took no money, together with its owner's record. */
export async function recordUnpaid(
  services: PaymentServices,
  sale: Operation,
  { advice = 'none', ...outcome }: UnpaidOutcome,
): Promise<boolean> {
  const { db, clock, owners } = services
  const owner = owners(sale.owner.kind)
  const event = await owner.failed(sale, outcome)
  const finalized: Outcome = { ...fenceOf(sale), ...outcome, now: clock.now() }
  const record = recordOf(owner, sale, unpaidBy(outcome, advice))
  if (!record) return finalize(db, finalized, event)
  return recordTogether(services, record, (tx) => finalize(tx, finalized, event))
}

/** Returns the step that records the owner's part; `null` if the owner has nothing to record. */
function recordOf(owner: ChargeOwner, sale: Operation, unpaid: Unpaid): ((tx: Tx) => Promise<void>) | null {
  if (owner.onRecoveredApproval === 'adopt') return (tx) => owner.release(tx, sale, unpaid)
  const { declined } = owner
  return declined && unpaid.kind === 'declined' ? (tx) => declined(tx, sale, unpaid) : null
}

function unpaidBy({ trigger, code, message }: UnpaidOutcome, advice: DeclinedResult['advice']): Unpaid {
  return trigger === 'declined'
    ? { kind: 'declined', code: code ?? 'ND', message: message ?? '', advice }
    : { kind: 'not charged' }
}

/**
 * Finalizes a sale for which recovery found an approval that does not count, and inserts its reversal.
 *
 * @param isPartial whether the approval is partial, which counts as a decline for the owner
 */
export async function recordFoundReversal(
  services: PaymentServices,
  sale: Operation,
  outcome: Outcome,
  { reversal, isPartial }: { reversal: NewOperation; isPartial: boolean },
): Promise<boolean> {
  const { db, owners } = services
  const owner = owners(sale.owner.kind)
  const event = await owner.failed(sale, {})
  const record = isPartial ? recordOf(owner, sale, unpaidBy({ ...outcome, trigger: 'declined' }, 'none')) : null
  if (!record) return finalizeWithReversal(db, outcome, reversal, event)
  return recordTogether(services, record, (tx) => finalizeWithReversal(tx, outcome, reversal, event))
}
