import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bound } from '../support/deep.ts'
import type { Violation } from './batch-protocol/invariants.ts'
import { ALL_RULES, type Rules } from './batch-protocol/rules.ts'
import { batchProtocol } from './batch-protocol.ts'
import { describeFindings } from './describe-findings.ts'
import { explore } from './explore.ts'

/** In `npm test` as many as it takes to find each violation below. */
const stepsMax = bound({ quick: 21, deep: Number.POSITIVE_INFINITY })

test('With every rule in force, no history of two settlements ends in a lost, doubled or misplaced one', () => {
  const exploration = explore(batchProtocol(ALL_RULES), { stepsMax })
  equal(exploration.findings.size, 0, describeFindings(exploration.findings))
  const { reached } = exploration
  deepEqual(
    Object.entries(reached).filter(([, count]) => count === 0),
    [],
  )
  equal(exploration.states, bound({ quick: 139_730, deep: 303_754 }))
})

describe('Without a rule there are violations', () => {
  const without: [rule: keyof Rules, violations: Violation[]][] = [
    ['intentFirst', ['LOST', 'PHANTOM']],
    ['namesBatch', ['LOST']],
    ['inquiresByName', ['LOST']],
    ['oneSettlement', ['LOST', 'TWICE']],
    ['fencedByEpoch', ['LOST']],
    ['fencedByState', ['TWICE']],
    ['unknownStaysOpen', ['LOST', 'FALSE']],
    ['waitsForArrival', ['LOST']],
    ['senderChecksDeadline', ['LOST']],
    ['joinsWithIntent', ['MISPLACED']],
    ['asksForAmbiguous', ['MISPLACED']],
    ['recovery', ['STUCK']],
  ]
  for (const [rule, until] of without) {
    test(`${rule}: ${until.join(', ')}`, () => {
      const { findings } = explore(batchProtocol({ ...ALL_RULES, [rule]: false }), { until, stepsMax })
      deepEqual(
        until.filter((violation) => !findings.has(violation)),
        [],
      )
    })
  }
})

test('a trace shows the steps to a violation', () => {
  const { findings } = explore(batchProtocol({ ...ALL_RULES, namesBatch: false }), { until: ['LOST'] })
  deepEqual(findings.get('LOST')?.shortestTrace, [
    'A finds batch 1 open',
    'A places what came late',
    'A finds 1 open at the gateway',
    'A commits its intent',
    'A sends its request',
    'B is refused',
    "somebody settles 1 on the gateway's page",
    'the gateway receives the request of A: refused',
    'A receives "refused"',
    'A writes "refused"',
  ])
})
