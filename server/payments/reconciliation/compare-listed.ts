import type { ListedTransaction } from '../../gateway/gateway.ts'
import { inGroups } from '../in-groups.ts'
import { compareTransaction } from './compare-transaction.ts'
import type { Comparison } from './comparison.ts'
import { confirmListed, report } from './confirm-difference.ts'
import type { OurOperation } from './finding.ts'
import { keepFindings } from './finding-queries.ts'
import { findByReference } from './our-operation-queries.ts'
import { markListed } from './reconciliation-queries.ts'

/**
 * Compares one page of the gateway's list. An operation is committed before its request is sent, so an operation that
 * is not found after the page was read does not exist.
 *
 * @param ofDay the transactions of the day itself; the others only show that the gateway has an operation
 */
export async function compareListed(
  comparison: Comparison,
  page: ListedTransaction[],
  ofDay: Set<ListedTransaction>,
): Promise<void> {
  const { services, terminal, runId } = comparison
  const { db, clock } = services
  const refs = page.map(({ merchantRef }) => merchantRef)
  const found = await findByReference(db, terminal, refs)
  const firstMet = await markListed(db, runId, [...found.values()], clock.now())
  const pairs = page.map((theirs) => {
    const ours = found.get(theirs.merchantRef)
    const isRepeated = ours !== undefined && !firstMet.delete(ours.id)
    return { theirs, ours, isRepeated }
  })
  await inGroups(
    pairs.filter(({ theirs, ours }) => ofDay.has(theirs) && isOfTerminal(comparison, ours)),
    (pair) => comparePair(comparison, pair),
  )
}

async function comparePair(
  comparison: Comparison,
  { theirs, ours, isRepeated }: { theirs: ListedTransaction; ours: OurOperation | undefined; isRepeated: boolean },
): Promise<void> {
  const { db, clock } = comparison.services
  if (ours?.isOpen) return keepFindings(db, comparison, ours.id, clock.now())
  const difference = compareTransaction(theirs, ours, isRepeated)
  if (!difference) return
  if (!ours || difference.kind === 'duplicate_transaction') return report(comparison, difference)
  await confirmListed(comparison, theirs, ours)
}

/** Whether a transaction belongs to the terminal: two terminals may share an account at the gateway. */
function isOfTerminal({ terminal }: Comparison, ours: OurOperation | undefined): boolean {
  return !ours || (ours.businessId === terminal.businessId && ours.terminalId === terminal.id)
}
