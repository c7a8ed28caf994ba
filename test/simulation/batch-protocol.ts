import { gatewaySteps } from './batch-protocol/gateway.ts'
import { type Landmark, landmarks, type Violation, violations } from './batch-protocol/invariants.ts'
import { recoverySteps } from './batch-protocol/recovery.ts'
import type { Rules } from './batch-protocol/rules.ts'
import { settlerSteps } from './batch-protocol/settler.ts'
import { INITIAL_STATE, type State } from './batch-protocol/state.ts'
import { stateKey } from './batch-protocol/state-key.ts'
import type { Model } from './explore.ts'

/**
 * Returns the exhaustive model of settlements under the given rules: two concurrent settlers of a terminal, manual or
 * daily, with an early payment; a sale, a refund or a void at the cut-off; a recovery worker; somebody who settles on
 * the gateway's own page; a network that delays, loses and reorders messages; crashes, and lost commit
 * acknowledgements.
 */
export function batchProtocol(rules: Rules): Model<State, Violation, Landmark> {
  return {
    initial: INITIAL_STATE,
    key: stateKey,
    steps: (state) => [...settlerSteps(state, rules), ...gatewaySteps(state, rules), ...recoverySteps(state, rules)],
    violations,
    landmarks,
  }
}
