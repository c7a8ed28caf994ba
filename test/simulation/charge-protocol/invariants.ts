import type { Property } from '../explore.ts'
import type { Protocol } from './protocol.ts'
import { isClaimable, isReconcilable } from './recovery.ts'
import type { State } from './state.ts'
import { isOpen, isUnfinished, rowOf } from './state.ts'

export type Violation = 'DOUBLE' | 'LOST' | 'PHANTOM' | 'TWICE' | 'STUCK'

/** The violations: conditions that must never be true. */
export function violations(protocol: Protocol): Record<Violation, Property<State>> {
  return {
    /** Two live charges for one business key, at any moment. */
    DOUBLE: (state) => liveCharges(state) > 1,
    /** At rest, money has moved that we do not show. */
    LOST: (state) => state.payments === 0 && liveCharges(state) === 1 && isAtRest(state, protocol),
    /** At rest, we show a payment for which no money has moved. */
    PHANTOM: (state) =>
      state.payments > 0 && !state.ledger.some((record) => record.state === 'approved') && isAtRest(state, protocol),
    /** Two payments are recorded for one key, possibly the same payment twice. */
    TWICE: (state) => state.payments > 1,
    /** No step is possible, and an operation is still open. */
    STUCK: (state, steps) => steps.length === 0 && state.operations.some(isClaimable),
  }
}

function liveCharges(state: State) {
  let count = 0
  for (const record of state.ledger) if (record.state === 'approved' || record.state === 'partial') count++
  return count
}

/** Whether the state is at rest: all handlers have ended, no operation is open, and no charge is in flight. */
function isAtRest(state: State, protocol: Protocol) {
  return (
    state.recoveries.every(({ at }) => at === 'idle') &&
    state.submitters.every((tab) => tab.at === 'gone') &&
    state.network.every((message) => message.content !== 'request') &&
    !state.operations.some(isUnfinished) &&
    !(protocol.reconcile && state.operations.some((operation) => isReconcilable(state, operation)))
  )
}

export type Landmark =
  | 'paid'
  | 'paid by recovery'
  | 'voided'
  | 'declined'
  | 'a writer comes too late'
  | 'second tab refused'
  | 'second tab paid after the first was reversed'

/** The landmarks: states that must be reached, otherwise the absence of violations proves nothing. */
export const landmarks: Record<Landmark, Property<State>> = {
  paid: (state) => state.payments > 0,
  'paid by recovery': (state) => state.operations.some(({ state, epoch }) => state === 'APPROVED' && epoch > 1),
  voided: (state) => state.ledger.some((record) => record.state === 'voided'),
  declined: (state) => state.operations.some((operation) => operation.state === 'DECLINED'),
  'a writer comes too late': (state) =>
    state.submitters.some(({ at, reference }) => {
      const operation = rowOf(state.operations, reference)
      return (at === 'answered' || at === 'late') && operation !== undefined && !isOpen(operation)
    }),
  'second tab refused': (state) =>
    state.operations.length === 1 && state.submitters.some((tab) => tab.at === 'gone' && !tab.admitted),
  'second tab paid after the first was reversed': ({ operations: [first, second] }) =>
    (first?.state === 'REVERSED' || first?.state === 'NOT_CHARGED') && second?.state === 'APPROVED',
}
