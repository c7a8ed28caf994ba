import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FULL_PROTOCOL } from './charge-protocol/protocol.ts'
import { chargeProtocol } from './charge-protocol.ts'
import { ABLATIONS, FULL_VARIANTS } from './charge-protocol-variants.ts'
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
  for (const { name, protocol, states, fails } of ABLATIONS) {
    test(name, () => {
      const exploration = explore(chargeProtocol(protocol))
      deepEqual([...exploration.findings.keys()].sort(), [...fails].sort(), describeFindings(exploration.findings))
      equal(exploration.states, states)
    })
  }
})

test('a trace shows the steps to a violation', () => {
  const unfenced = explore(chargeProtocol({ ...FULL_PROTOCOL, fencedResult: false }))
  deepEqual(unfenced.findings.get('PHANTOM')?.shortestTrace, [
    'tab A inserts its operation',
    'tab A sends the charge',
    'tab B is refused: paid, or another operation is open',
    'the gateway receives charge A: approved',
    'tab A receives "approved"',
    'recovery claims operation A',
    'tab A writes "approved"',
    'recovery voids by reference, the response is lost',
  ])
})

function unreached(reached: Record<string, number>) {
  return Object.keys(reached).filter((landmark) => reached[landmark] === 0)
}
