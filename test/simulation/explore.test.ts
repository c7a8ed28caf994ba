import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import type { Model } from './explore.ts'
import { explore } from './explore.ts'

/** Returns a model of a counter that is incremented or doubled, up to a limit. */
function counter(limit: number): Model<number, 'seven' | 'eleven', 'even'> {
  return {
    initial: 1,
    key: (count) => count,
    steps: (count) =>
      [
        { words: `${count} and one`, state: count + 1 },
        { words: `${count} doubled`, state: count * 2 },
      ].filter(({ state }) => state <= limit),
    violations: { seven: (count) => count === 7, eleven: (count) => count === 11 },
    landmarks: { even: (count) => count % 2 === 0 },
  }
}

test('every state is visited once', () => {
  const { states, reached } = explore(counter(10))
  equal(states, 10)
  deepEqual(reached, { even: 5 })
})

test('with a limit, the states of all histories of that many steps are visited', () => {
  const { states, findings } = explore(counter(10), { stepsMax: 2 })
  deepEqual([states, findings.size], [4, 0])
})

test('no more states are visited once all wanted violations are found', () => {
  const { states, findings } = explore(counter(100), { until: ['seven'] })
  deepEqual([[...findings.keys()], states < 100], [['seven'], true])
})

test('a violation is found with a shortest trace', () => {
  const { findings } = explore(counter(10))
  deepEqual(
    [...findings],
    [['seven', { states: 1, shortestTrace: ['1 and one', '2 and one', '3 doubled', '6 and one'] }]],
  )
})

test('a property receives the remaining steps', () => {
  const { reached } = explore({ ...counter(10), landmarks: { end: (_, steps) => steps.length === 0 } })
  deepEqual(reached, { end: 1 })
})

test('a key beyond the exact range of numbers is refused', () => {
  throws(() => explore({ ...counter(10), key: (count) => count * 2 ** 52 }), RangeError)
})

test('a model that is not a function of its state is refused', () => {
  const answered = new Set<number>()
  const forgetful = (count: number) => {
    const steps = answered.has(count) ? [] : counter(10).steps(count)
    answered.add(count)
    return steps
  }
  throws(() => explore({ ...counter(10), steps: forgetful }), /cannot be replayed/)
})
