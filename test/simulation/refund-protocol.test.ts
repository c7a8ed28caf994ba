import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bound } from '../support/deep.ts'
import { describeFindings } from './describe-findings.ts'
import { explore } from './explore.ts'
import type { Violation } from './refund-protocol/invariants.ts'
import { ALL_RULES, type Rules } from './refund-protocol/rules.ts'
import { refundProtocol } from './refund-protocol.ts'

/** In `npm test` as many as it takes to find each violation below. */
const stepsMax = bound({ quick: 13, deep: Number.POSITIVE_INFINITY })

const KNOWING = { gatewayKnowsReference: true }
const UNKNOWING = { gatewayKnowsReference: false }

describe('With every rule in force, no history of two refunds or voids ends in a double, lost or phantom one', () => {
  const all: [name: string, gateway: Partial<Rules>, states: number][] = [
    ['a gateway that processes a reference once', KNOWING, bound({ quick: 65_039, deep: 391_625 })],
    ['a gateway that processes each request', UNKNOWING, bound({ quick: 70_812, deep: 523_411 })],
  ]
  for (const [name, gateway, states] of all) {
    test(name, () => {
      const exploration = explore(refundProtocol({ ...ALL_RULES, ...gateway }), { stepsMax })
      equal(exploration.findings.size, 0, describeFindings(exploration.findings))
      const { reached } = exploration
      deepEqual(
        Object.entries(reached).filter(([, count]) => count === 0),
        [],
      )
      equal(exploration.states, states)
    })
  }
})

describe('Without a rule there are violations', () => {
  const without: [rule: keyof Rules, gateway: Partial<Rules>, violations: Violation[]][] = [
    ['intentFirst', KNOWING, ['LOST', 'DOUBLE']],
    ['oneOpenOperation', KNOWING, ['DOUBLE']],
    ['readsUnderLock', KNOWING, ['DOUBLE']],
    ['checksStatus', KNOWING, ['DOUBLE']],
    ['senderChecksDeadline', UNKNOWING, ['DOUBLE']],
    ['fencedByEpoch', KNOWING, ['LOST', 'FALSE']],
    ['fencedByState', KNOWING, ['PHANTOM']],
    ['unknownStaysOpen', KNOWING, ['LOST', 'DOUBLE', 'FALSE']],
    ['waitsToResend', UNKNOWING, ['DOUBLE']],
    ['renewsDeadline', UNKNOWING, ['DOUBLE']],
    ['refusalIsChecked', UNKNOWING, ['LOST']],
    ['declineIsFinal', UNKNOWING, ['LOST', 'DOUBLE']],
    ['unsentIsFenced', KNOWING, ['FALSE']],
    ['recovery', KNOWING, ['STUCK']],
  ]
  for (const [rule, gateway, until] of without) {
    test(`${rule}: ${until.join(', ')}`, () => {
      const { findings } = explore(refundProtocol({ ...ALL_RULES, ...gateway, [rule]: false }), { until, stepsMax })
      deepEqual(
        until.filter((violation) => !findings.has(violation)),
        [],
      )
    })
  }
})

test('a trace shows the steps to a violation', () => {
  const rules = { ...ALL_RULES, unsentIsFenced: false }
  const { findings } = explore(refundProtocol(rules), { until: ['FALSE'] })
  deepEqual(findings.get('FALSE')?.shortestTrace, [
    'A inserts its refund of 1',
    'B is refused',
    'recovery claims A',
    'A does not send its request',
    'recovery receives "not found" for good',
    'recovery sends A again',
    'the gateway receives A of the recovery: approved',
    'recovery receives "approved"',
    'recovery writes "approved"',
  ])
})
