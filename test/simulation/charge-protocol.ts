import { networkSteps } from './charge-protocol/gateway.ts'
import type { Landmark, Violation } from './charge-protocol/invariants.ts'
import { landmarks, violations } from './charge-protocol/invariants.ts'
import type { Protocol } from './charge-protocol/protocol.ts'
import { recoverySteps } from './charge-protocol/recovery.ts'
import type { State } from './charge-protocol/state.ts'
import { initialState } from './charge-protocol/state.ts'
import { stateKey } from './charge-protocol/state-key.ts'
import { submitterSteps } from './charge-protocol/submitter.ts'
import type { Model } from './explore.ts'

/**
 * Returns the exhaustive model of the charge protocol under the given rules: two request handlers that charge the same
 * owner, a recovery worker, a gateway, a network that delays, loses and reorders messages, crashes, and lost commit
 * acknowledgements.
 */
export function chargeProtocol(protocol: Protocol): Model<State, Violation, Landmark> {
  return {
    initial: initialState(protocol),
    key: stateKey,
    steps: (state) => [
      ...submitterSteps(state, protocol),
      ...networkSteps(state, protocol),
      ...recoverySteps(state, protocol),
    ],
    violations: violations(protocol),
    landmarks,
  }
}
