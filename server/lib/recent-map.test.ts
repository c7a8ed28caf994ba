import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRecentMap } from './recent-map.ts'

describe('A recent map', () => {
  test('forgets what was written longest ago, and never grows beyond its size', () => {
    const map = createRecentMap<number>(3)
    for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
    map.set('a', 9)
    map.set('d', 3)
    deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => map.get(key)),
      [9, undefined, 2, 3],
    )
  })

  test('forgets what is deleted', () => {
    const map = createRecentMap<number>()
    map.set('a', 1)
    map.delete('a')
    equal(map.get('a'), undefined)
  })
})
