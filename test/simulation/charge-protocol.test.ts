import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Violation } from './charge-protocol/invariants.ts'
import { FULL_PROTOCOL } from './charge-protocol/protocol.ts'
import { chargeProtocol } from './charge-protocol.ts'
import { ABLATIONS, FULL_VARIANTS } from './charge-protocol-variants.ts'
import type { Finding } from './explore.ts'
import { explore } from './explore.ts'

describe('With every rule in force, no history ends in a double, lost or phantom charge', () => {
  for (const { name, protocol, states, never } of FULL_VARIANTS) {
    test(name, () => {
      const exploration = explore(chargeProtocol(protocol))
      equal(exploration.findings.size, 0, inWords(exploration.findings))
      deepEqual(unreached(exploration.reached), never)
      equal(exploration.states, states)
    })
  }
})

describe('Without a rule there are violations, unless another rule suffices', () => {
  for (const { name, protocol, states, fails } of ABLATIONS) {
    test(name, () => {
      const exploration = explore(chargeProtocol(protocol))
      deepEqual([...exploration.findings.keys()].sort(), [...fails].sort(), inWords(exploration.findings))
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

/** The message for a variant with unexpected violations: each kind with its shortest trace. */
function inWords(findings: ReadonlyMap<Violation, Finding>) {
  if (findings.size === 0) return 'No violation was found.'
  const stories = [...findings].map(([kind, { states, shortestTrace }]) => {
    const lines = shortestTrace.map((words, index) => `  ${index + 1}. ${words}`)
    return [`${kind} in ${states} states, at the soonest after:`, ...lines].join('\n')
  })
  return stories.join('\n\n')
}
