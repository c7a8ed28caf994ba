import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBoundedMap } from './bounded-map.ts'

describe('A bounded map', () => {
  test('drops the entry written longest ago when it is full', () => {
    const map = createBoundedMap<number>(3)
    for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
    map.set('a', 9)
    map.set('d', 3)
    deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => map.get(key)),
      [9, undefined, 2, 3],
    )
  })

  test('deletes an entry', () => {
    const map = createBoundedMap<number>()
    map.set('a', 1)
    map.delete('a')
    equal(map.get('a'), undefined)
  })

  test('clears all entries', () => {
    const map = createBoundedMap<number>()
    map.set('a', 1)
    map.clear()
    equal(map.get('a'), undefined)
  })
})
