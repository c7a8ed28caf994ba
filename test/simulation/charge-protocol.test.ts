import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bound, isDeep } from '../support/deep.ts'
import { FULL_PROTOCOL } from './charge-protocol/protocol.ts'
import type { State } from './charge-protocol/state.ts'
import { mirrored, stateKey } from './charge-protocol/state-key.ts'
import { chargeProtocol } from './charge-protocol.ts'
import { ABLATIONS, type Ablation, FENCES, FULL_VARIANTS, QUICK_STEPS } from './charge-protocol-variants.ts'
import { describeFindings } from './describe-findings.ts'
import { explore } from './explore.ts'

type Model = ReturnType<typeof chargeProtocol>

const stepsMax = bound({ quick: QUICK_STEPS, deep: Number.POSITIVE_INFINITY })
/** Number of histories in which the two tabs are compared, for each variant. */
const HISTORIES = bound({ quick: 8, deep: 100 })

describe('With every rule in force, no history ends in a double, lost or phantom charge', () => {
  for (const { name, protocol, states, quickStates, never } of FULL_VARIANTS) {
    test(name, () => {
      const exploration = explore(chargeProtocol(protocol), { stepsMax })
      equal(exploration.findings.size, 0, describeFindings(exploration.findings))
      deepEqual(unreached(exploration.reached), never)
      equal(exploration.states, bound({ quick: quickStates, deep: states }))
    })
  }
})

describe('Without a rule there are violations, unless another rule suffices', () => {
  for (const ablation of ABLATIONS) test(ablation.name, () => assertFails(ablation))
})

describe('PAY-6: what fences the result of a sale', () => {
  for (const fence of FENCES) test(fence.name, () => assertFails(fence))
})

function assertFails({ protocol, states, fails }: Ablation): void {
  // In the deep run all states are visited, and nothing beyond these violations is found.
  const exploration = explore(chargeProtocol(protocol), { stepsMax, until: isDeep ? [] : fails })
  deepEqual([...exploration.findings.keys()].sort(), [...fails].sort(), describeFindings(exploration.findings))
  if (isDeep) equal(exploration.states, states)
}

test('a trace shows the steps to a violation', () => {
  const unfenced = { ...FULL_PROTOCOL, fencedByEpoch: false, fencedByState: false, partials: false, lateResults: false }
  const { findings } = explore(chargeProtocol(unfenced), { until: ['PHANTOM'] })
  deepEqual(findings.get('PHANTOM')?.shortestTrace, [
    'tab A inserts its operation',
    'tab A sends the charge',
    'tab B is refused: paid, or another operation is open',
    'the gateway receives charge A: approved',
    'tab A receives "approved"',
    'recovery claims operation A',
    'recovery inquires and receives "approved"',
    'recovery writes REVERSING',
    'tab A writes "approved"',
    'recovery voids by reference, the response is lost',
  ])
})

describe('The two tabs are alike: what holds of a state holds of its mirror', () => {
  for (const { name, protocol } of [...FULL_VARIANTS, ...ABLATIONS, ...FENCES]) {
    test(name, () => {
      const model = chargeProtocol(protocol)
      for (const state of walk(model)) assertMirrored(model, state)
    })
  }
})

/** Asserts that the mirror has the same key and properties, and that its next states are the mirrors of the state's. */
function assertMirrored({ steps, violations, landmarks }: Model, state: State): void {
  const mirror = mirrored(state)
  equal(stateKey(mirror), stateKey(state))
  const next = steps(state)
  const nextOfMirror = steps(mirror)
  deepEqual(nextOfMirror.map(followed).sort(), next.map(({ state }) => followed({ state: mirrored(state) })).sort())
  for (const holds of [...Object.values(violations), ...Object.values(landmarks)])
    equal(holds(mirror, nextOfMirror), holds(state, next))
}

/** Returns the whole state as text, which unlike its key differs from its mirror's. Messages overtake each other. */
function followed({ state }: { state: State }): string {
  const network = state.network.toSorted((one, other) => one.reference.localeCompare(other.reference))
  return JSON.stringify({ ...state, network })
}

/** Yields histories to their ends, at random but reproducible: some 50,000 states of all variants in the deep run. */
function* walk({ initial, steps }: Model): Generator<State> {
  let random = 1
  for (let history = 0; history < HISTORIES; history++) {
    let state: State | undefined = initial
    while (state) {
      yield state
      const next: { state: State }[] = steps(state)
      random = (random * 48_271) % 0x7fffffff
      state = next[random % next.length]?.state
    }
  }
}

function unreached(reached: Record<string, number>) {
  return Object.keys(reached).filter((landmark) => reached[landmark] === 0)
}
