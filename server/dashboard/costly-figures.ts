import { createBoundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'

/** By default, which costs 2 % of one connection at most. */
const KEPT_TIMES = 50

interface Counted<Value> {
  untilMs: number
  value: Promise<Value>
}

export type CostlyFigures<Value> = (key: string, count: () => Promise<Value>) => Promise<Value>

/**
 * Keeps figures whose statements read much, in this process. Those of a small business are fresh at each look.
 *
 * @param keptMs at most
 * @param keptTimes for so many times as long as counting took
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
