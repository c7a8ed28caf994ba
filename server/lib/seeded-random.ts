/**
 * Creates a generator of numbers that depend only on the seed: for repeatable faults, simulations and tests, never for
 * secrets. The generator is Mulberry32.
 *
 * @returns a function that returns the next number, from 0 to below 1
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
