import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FULL_PROTOCOL } from './charge-protocol/protocol.ts'
import { chargeProtocol } from './charge-protocol.ts'
import { ABLATIONS, type Ablation, FENCES, FULL_VARIANTS } from './charge-protocol-variants.ts'
import { describeFindings } from './describe-findings.ts'
import { explore } from './explore.ts'

describe('With every rule in force, no history ends in a double, lost or phantom charge', () => {
  for (const { name, protocol, states, never } of FULL_VARIANTS) {
    test(name, () => {
      const exploration = explore(chargeProtocol(protocol))
      equal(exploration.findings.size, 0, describeFindings(exploration.findings))
      deepEqual(unreached(exploration.reached), never)
      equal(exploration.states, states)
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
  const exploration = explore(chargeProtocol(protocol))
  deepEqual([...exploration.findings.keys()].sort(), [...fails].sort(), describeFindings(exploration.findings))
  equal(exploration.states, states)
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

function unreached(reached: Record<string, number>) {
  return Object.keys(reached).filter((landmark) => reached[landmark] === 0)
}
