import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeFindings } from './describe-findings.ts'
import { explore } from './explore.ts'
import { GROUP_RULES, type GroupRules, type GroupViolation, groupProtocol } from './group-protocol.ts'

test('bills whose steps are committed together are neither lost nor charged twice (BIL-32)', () => {
  const { findings, reached, states } = explore(groupProtocol(GROUP_RULES))
  equal(findings.size, 0, describeFindings(findings))
  deepEqual(
    Object.entries(reached).filter(([, count]) => count === 0),
    [],
  )
  equal(states, 664)
})

describe('Without a rule of BIL-32 there are violations', () => {
  const LOST: GroupViolation[] = ['DOUBLE', 'LOST']
  const ABLATIONS: [name: string, without: Partial<GroupRules>, fails: GroupViolation[]][] = [
    ['a request leaves before its intent is committed', { sendsAfterCommit: false }, LOST],
    ['a bill whose group may be rolled back is sent', { unknownIsNotSent: false }, LOST],
    ['an intent is committed with its own result', { separateCommits: false }, LOST],
  ]
  for (const [name, without, fails] of ABLATIONS) {
    test(name, () => {
      const { findings } = explore(groupProtocol({ ...GROUP_RULES, ...without }), { until: fails })
      deepEqual([...findings.keys()].sort(), fails, describeFindings(findings))
    })
  }
})
