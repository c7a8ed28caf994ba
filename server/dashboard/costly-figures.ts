import { createBoundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'

/** Default factor between computing time and time in the cache. It keeps the cost at 2 % of one connection or less. */
const KEPT_TIMES = 50

interface Counted<Value> {
  untilMs: number
  value: Promise<Value>
}

export type CostlyFigures<Value> = (key: string, count: () => Promise<Value>) => Promise<Value>

/**
 * Caches costly figures in this process. A small business, whose figures are cheap, gets fresh ones at each look.
 *
 * @param keptMs longest time in the cache, in milliseconds
 * @param keptTimes how many times as long as computing took the figures stay in the cache
 */
export function createCostlyFigures<Value>(
  clock: Pick<Clock, 'monotonicMs'>,
  keptMs: number,
  keptTimes = KEPT_TIMES,
): CostlyFigures<Value> {
  const kept = createBoundedMap<Counted<Value>>()
  return (key, count) => {
    const [known, beganMs] = [kept.get(key), clock.monotonicMs()]
    if (known && beganMs < known.untilMs) return known.value
    const counted: Counted<Value> = { untilMs: Infinity, value: count() }
    kept.set(key, counted)
    counted.value.then(
      () => {
        const now = clock.monotonicMs()
        counted.untilMs = now + Math.min(keptMs, (now - beganMs) * keptTimes)
      },
      () => kept.delete(key),
    )
    return counted.value
  }
}
