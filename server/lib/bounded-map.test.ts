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

  test('clears all entries, and drops the oldest of the next ones', () => {
    const map = createBoundedMap<number>(2)
    for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
    map.clear()
    equal(map.get('c'), undefined)
    for (const [value, key] of ['c', 'd', 'e'].entries()) map.set(key, value)
    deepEqual(
      ['c', 'd', 'e'].map((key) => map.get(key)),
      [undefined, 1, 2],
    )
  })

  test('keeps those written last, whatever is written again, deleted or cleared', () => {
    const max = 7
    const map = createBoundedMap<number>(max)
    let written: [key: string, value: number][] = []
    for (let step = 0; step < 20_000; step++) {
      const key = `key ${(step * step * 31 + (step >> 3)) % 23}`
      const without = written.filter(([other]) => other !== key)
      if (step % 997 === 0) {
        map.clear()
        written = []
      } else if (step % 5 === 0) {
        map.delete(key)
        written = without
      } else {
        map.set(key, step)
        written = [...without, [key, step] as [string, number]].slice(-max)
      }
      for (const [other, value] of written) equal(map.get(other), value, `step ${step}`)
      for (let index = 0; index < 23; index++)
        if (!written.some(([other]) => other === `key ${index}`)) equal(map.get(`key ${index}`), undefined)
    }
  })
})
