import type { Protocol } from './protocol.ts'
import type { Operation, State } from './state.ts'
import { isOpen, withRow } from './state.ts'

/**
 * Writes an outcome over the state that a writer finds: the fence by state of PAY-6, and records that belong to the
 * outcome (PAY-9). The caller checks whether the writer owns the epoch.
 */
export function writeOutcome(
  state: State,
  operation: Operation,
  outcome: Operation['state'],
  { fencedByState }: Protocol,
): State {
  if (fencedByState && !isOpen(operation) && !(operation.state === 'REVERSING' && outcome === 'REVERSED')) return state
  const operations = withRow(state.operations, { ...operation, state: outcome })
  return { ...state, operations, payments: state.payments + (outcome === 'APPROVED' ? 1 : 0) }
}
