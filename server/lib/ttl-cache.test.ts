import { equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTtlCache, ENTRIES_MAX, KEPT_MS } from './ttl-cache.ts'

function counting(load: (key: string) => Promise<string | null> = async (key) => `value of ${key}`) {
  const clock = { time: 0, monotonicMs: () => clock.time }
  const asked = { count: 0 }
  const briefly = createTtlCache<string>(clock)
  const get = (key: string) =>
    briefly.get(key, () => {
      asked.count += 1
      return load(key)
    })
  const cache = { get, clear: briefly.clear }
  return { cache, clock, asked }
}

describe('The brief cache', () => {
  test('asks once a second', async () => {
    const { cache, clock, asked } = counting()
    equal(await cache.get('a'), 'value of a')
    clock.time = KEPT_MS - 1
    equal(await cache.get('a'), 'value of a')
    equal(asked.count, 1)
    clock.time = KEPT_MS
    await cache.get('a')
    equal(asked.count, 2)
  })

  test('asks once for all who ask at the same time', async () => {
    const { cache, asked } = counting()
    await Promise.all(Array.from({ length: 100 }, () => cache.get('a')))
    equal(asked.count, 1)
  })

  test('does not remember that there was nothing', async () => {
    const { cache, asked } = counting(async () => null)
    equal(await cache.get('a'), null)
    equal(await cache.get('a'), null)
    equal(asked.count, 2)
  })

  test('does not remember errors', async () => {
    const { cache, asked } = counting(() => Promise.reject(new Error('away')))
    await rejects(cache.get('a'), /away/)
    await rejects(cache.get('a'), /away/)
    equal(asked.count, 2)
  })

  test('what was under way when it was cleared is not kept', async () => {
    const { cache, asked } = counting()
    const under = cache.get('a')
    cache.clear()
    await under
    await cache.get('a')
    equal(asked.count, 2)
  })

  test('forgets the oldest when it is full', async () => {
    const { cache, asked } = counting()
    for (let count = 0; count <= ENTRIES_MAX; count++) await cache.get(`key ${count}`)
    await cache.get(`key ${ENTRIES_MAX}`)
    await cache.get('key 1')
    equal(asked.count, ENTRIES_MAX + 1)
    await cache.get('key 0')
    equal(asked.count, ENTRIES_MAX + 2)
  })
})
