import { seededRandom } from '../../../server/lib/seeded-random.ts'

/** Random numbers that depend only on the seed. */
export interface Random {
  /** Returns a number from 0, below 1. */
  next(): number
  /** Returns an integer from `min` to `max`, both inclusive. */
  whole(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function randomFrom(seed: number): Random {
  const next = seededRandom(seed)
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new RangeError('Nothing to pick from')
      return item
    },
  }
}
