import { equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENTRIES_MAX } from './bounded-map.ts'
import { createTtlCache, KEPT_MS } from './ttl-cache.ts'

function counting(load: (key: string) => Promise<string | null> = async (key) => `value of ${key}`) {
  const clock = { time: 0, monotonicMs: () => clock.time }
  const loads = { count: 0 }
  const cached = createTtlCache<string>(clock)
  const get = (key: string) =>
    cached.get(key, () => {
      loads.count += 1
      return load(key)
    })
  const cache = { get, clear: cached.clear }
  return { cache, clock, loads }
}

describe('The TTL cache', () => {
  test('loads once a second', async () => {
    const { cache, clock, loads } = counting()
    equal(await cache.get('a'), 'value of a')
    clock.time = KEPT_MS - 1
    equal(await cache.get('a'), 'value of a')
    equal(loads.count, 1)
    clock.time = KEPT_MS
    await cache.get('a')
    equal(loads.count, 2)
  })

  test('loads once for callers at the same time', async () => {
    const { cache, loads } = counting()
    await Promise.all(Array.from({ length: 100 }, () => cache.get('a')))
    equal(loads.count, 1)
  })

  test('does not keep null', async () => {
    const { cache, loads } = counting(async () => null)
    equal(await cache.get('a'), null)
    equal(await cache.get('a'), null)
    equal(loads.count, 2)
  })

  test('does not keep errors', async () => {
    const { cache, loads } = counting(() => Promise.reject(new Error('away')))
    await rejects(cache.get('a'), /away/)
    await rejects(cache.get('a'), /away/)
    equal(loads.count, 2)
  })

  test('a load under way when it is cleared is not kept', async () => {
    const { cache, loads } = counting()
    const underWay = cache.get('a')
    cache.clear()
    await underWay
    await cache.get('a')
    equal(loads.count, 2)
  })

  test('drops the oldest when it is full', async () => {
    const { cache, loads } = counting()
    for (let count = 0; count <= ENTRIES_MAX; count++) await cache.get(`key ${count}`)
    await cache.get(`key ${ENTRIES_MAX}`)
    await cache.get('key 1')
    equal(loads.count, ENTRIES_MAX + 1)
    await cache.get('key 0')
    equal(loads.count, ENTRIES_MAX + 2)
  })
})
