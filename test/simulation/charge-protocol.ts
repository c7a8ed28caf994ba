import { networkSteps } from './charge-protocol/gateway.ts'
import type { Landmark, Violation } from './charge-protocol/invariants.ts'
import { landmarks, violations } from './charge-protocol/invariants.ts'
import type { Protocol } from './charge-protocol/protocol.ts'
import { recoverySteps } from './charge-protocol/recovery.ts'
import type { State } from './charge-protocol/state.ts'
import { INITIAL_STATE } from './charge-protocol/state.ts'
import { stateKey } from './charge-protocol/state-key.ts'
import { submitterSteps } from './charge-protocol/submitter.ts'
import type { Model } from './explore.ts'

/**
 * Two request handlers that want to charge the same thing, a recovery worker, a gateway, a network that delays, loses
 * and reorders, crashes, and lost commit acknowledgements: everything that can happen, under the given rules.
 */
export function chargeProtocol(protocol: Protocol): Model<State, Violation, Landmark> {
  return {
    initial: INITIAL_STATE,
    key: stateKey,
    steps: (state) => [...submitterSteps(state, protocol), ...networkSteps(state), ...recoverySteps(state, protocol)],
    violations: violations(protocol),
    landmarks,
  }
}
