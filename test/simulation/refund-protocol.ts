import type { Model } from './explore.ts'
import { gatewaySteps } from './refund-protocol/gateway.ts'
import type { Landmark, Violation } from './refund-protocol/invariants.ts'
import { landmarks, violations } from './refund-protocol/invariants.ts'
import { recoverySteps } from './refund-protocol/recovery.ts'
import { requesterSteps } from './refund-protocol/requester.ts'
import type { Rules } from './refund-protocol/rules.ts'
import type { State } from './refund-protocol/state.ts'
import { INITIAL_STATE } from './refund-protocol/state.ts'
import { stateKey } from './refund-protocol/state-key.ts'

/**
 * Returns the exhaustive model of a merchant's refunds and voids under the given rules: two concurrent requests for one
 * payment, each a refund of a part, of the rest, or a void; a recovery worker; a gateway that closes its batch at any
 * time; a network that delays, loses and reorders messages; crashes, and lost commit acknowledgements.
 */
export function refundProtocol(rules: Rules): Model<State, Violation, Landmark> {
  return {
    initial: INITIAL_STATE,
    key: stateKey,
    steps: (state) => [...requesterSteps(state, rules), ...gatewaySteps(state, rules), ...recoverySteps(state, rules)],
    violations,
    landmarks,
  }
}
