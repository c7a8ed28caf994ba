import type { Property } from '../explore.ts'
import type { Protocol } from './protocol.ts'
import { isClaimable, isReconcilable } from './recovery.ts'
import type { State } from './state.ts'
import { isOpen } from './state.ts'

export type Violation = 'DOUBLE' | 'LOST' | 'PHANTOM' | 'STUCK'

/** The violations: conditions that must never be true. */
export function violations(protocol: Protocol): Record<Violation, Property<State>> {
  return {
    /** Two live charges for one business key, at any moment. */
    DOUBLE: (state) => liveCharges(state) > 1,
    /** At rest, money has moved that we do not show. */
    LOST: (state) => !state.paid && liveCharges(state) === 1 && isAtRest(state, protocol),
    /** At rest, we show a payment for which no money has moved. */
    PHANTOM: (state) => state.paid && liveCharges(state) === 0 && isAtRest(state, protocol),
    /** No step is possible, and an operation is still open. */
    STUCK: (state, steps) => steps.length === 0 && state.operations.some(isClaimable),
  }
}

function liveCharges(state: State) {
  let count = 0
  for (const record of state.ledger) if (record.state === 'approved') count++
  return count
}

/** At rest: all handlers have ended, no operation is open, and no charge is in flight. */
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

/** The landmarks: states that must be reached, otherwise the absence of violations proves nothing. */
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
