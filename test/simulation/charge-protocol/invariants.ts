import type { Property } from '../explore.ts'
import type { Protocol } from './protocol.ts'
import { isClaimable, isReconcilable } from './recovery.ts'
import type { State } from './state.ts'
import { isOpen } from './state.ts'

export type Violation = 'DOUBLE' | 'LOST' | 'PHANTOM' | 'STUCK'

/** What must never be true. */
export function violations(protocol: Protocol): Record<Violation, Property<State>> {
  return {
    /** Two live charges for one business key, at any moment. */
    DOUBLE: (state) => liveCharges(state) > 1,
    /** At rest, money moved and we do not show it. */
    LOST: (state) => !state.paid && liveCharges(state) === 1 && isAtRest(state, protocol),
    /** At rest, we show a payment and no money moved. */
    PHANTOM: (state) => state.paid && liveCharges(state) === 0 && isAtRest(state, protocol),
    /** Nothing can happen any more, and an operation is still open. */
    STUCK: (state, steps) => steps.length === 0 && state.operations.some(isClaimable),
  }
}

function liveCharges(state: State) {
  let count = 0
  for (const record of state.ledger) if (record.state === 'approved') count++
  return count
}

/** Nobody will do anything more about the money: all have left, nothing is open, no charge is under way. */
function isAtRest(state: State, protocol: Protocol) {
  return (
    state.recovery.at === 'idle' &&
    state.submitters.every((tab) => tab.at === 'gone') &&
    state.network.every((message) => message.content !== 'request') &&
    !state.operations.some(isOpen) &&
    !(protocol.reconcile && state.operations.some((operation) => isReconcilable(state, operation)))
  )
}

export type Landmark =
  | 'paid'
  | 'paid by recovery'
  | 'voided'
  | 'declined'
  | 'second tab refused'
  | 'second tab paid after the first was reversed'

/** What must be reached, or the absence of violations says nothing. */
export const landmarks: Record<Landmark, Property<State>> = {
  paid: (state) => state.paid,
  'paid by recovery': (state) => state.operations.some(({ state, epoch }) => state === 'APPROVED' && epoch > 1),
  voided: (state) => state.ledger.some((record) => record.state === 'voided'),
  declined: (state) => state.operations.some((operation) => operation.state === 'DECLINED'),
  'second tab refused': (state) =>
    state.operations.length === 1 && state.submitters.some((tab) => tab.at === 'gone' && !tab.admitted),
  'second tab paid after the first was reversed': ({ operations: [first, second] }) =>
    first?.state === 'NOT_CHARGED' && second?.state === 'APPROVED',
}
