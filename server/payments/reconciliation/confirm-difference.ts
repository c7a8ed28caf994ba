import type { FoundTransaction, ListedTransaction } from '../../gateway/gateway.ts'
import { findOperation } from '../operation-queries.ts'
import { reverseLateApproval } from '../recovery/late-approval.ts'
import { type Compared, compareTransaction, missingTransaction } from './compare-transaction.ts'
import { type Comparison, GatewaySilent } from './comparison.ts'
import type { Finding, OurOperation } from './finding.ts'
import { keepFindings, recordFinding } from './finding-queries.ts'
import { findAgain } from './our-operation-queries.ts'

const WRITTEN_OFF = ['NOT_CHARGED', 'NOT_SENT']

/** Confirms a listed transaction that differs. One of our voids may have been approved since the list was read. */
export async function confirmListed(
  comparison: Comparison,
  theirs: ListedTransaction,
  ours: OurOperation,
): Promise<void> {
  const found = await inquireAgain(comparison, ours)
  if (!found) throw new GatewaySilent(`${ours.merchantRef} is in the list, but an inquiry does not find it`)
  // When a reference has two transactions, an inquiry returns one; the other is only in the list.
  const isSame = found.gatewayRef === theirs.gatewayRef
  await conclude(comparison, ours, isSame ? { ...theirs, ...found } : theirs)
}

/** Confirms that an operation is missing from the gateway's list of its day. */
export async function confirmUnlisted(comparison: Comparison, ours: OurOperation): Promise<void> {
  const found = await inquireAgain(comparison, ours)
  const { kind, merchantRef, currency } = ours
  await conclude(
    comparison,
    ours,
    found && { ...found, kind: kind === 'refund' ? kind : 'sale', merchantRef, currency },
  )
}

/** Reports the difference only if our operation has not changed since; otherwise the next comparison decides. */
async function conclude(comparison: Comparison, before: OurOperation, theirs: Compared | null): Promise<void> {
  const { db, clock } = comparison.services
  const ours = await findAgain(db, before)
  if (!ours || ours.isOpen || hasChanged(before, ours)) return keepFindings(db, comparison, before.id, clock.now())
  const difference = theirs ? compareTransaction(theirs, ours) : missingTransaction(ours)
  if (!difference) return
  await report(comparison, difference)
  if (theirs && difference.kind === 'state_differs') await reverseIfWrittenOff(comparison, ours, theirs)
}

/** Records a finding, and raises an alarm the first time. */
export async function report(comparison: Comparison, finding: Finding): Promise<void> {
  const { db, clock, log } = comparison.services
  const { id, isNew } = await recordFinding(db, comparison, finding, clock.now())
  if (!isNew) return
  const { kind, merchantRef, gatewayRef } = finding
  log.error(
    { finding: id, kind, merchantRef, gatewayRef, terminal: comparison.terminal.id, day: comparison.day },
    'the gateway and our operations differ; see npm run reconcile -- list',
  )
}

/** Reverses an approval that was found for a written-off sale. Recovery does the same within a day of the sale. */
async function reverseIfWrittenOff({ services }: Comparison, ours: OurOperation, theirs: Compared): Promise<void> {
  if (ours.kind !== 'sale' || !WRITTEN_OFF.includes(ours.state)) return
  const sale = await findOperation(services.db, ours.businessId, ours.id)
  if (sale) await reverseLateApproval(services, sale, theirs)
}

/** @throws GatewaySilent */
async function inquireAgain({ services, terminal }: Comparison, { merchantRef }: OurOperation) {
  const result = await services.gateways(terminal.gateway).inquire({
    terminal: { id: terminal.merchantCode, currency: terminal.currency },
    merchantRef,
    signal: AbortSignal.timeout(services.timings.responseMs),
  })
  if (result.found === 'indeterminate') throw new GatewaySilent(`inquiry of ${merchantRef}: ${result.message}`)
  if (!result.found) return null
  const { state, gatewayRef, approvedAmount }: FoundTransaction = result.transaction
  return { state, gatewayRef, approvedAmount }
}

function hasChanged(before: OurOperation, after: OurOperation): boolean {
  return (['state', 'gatewayRef', 'isVoided', 'refundedAmount'] as const).some(
    (field) => before[field] !== after[field],
  )
}
