const DISTINCT_BYTES_MIN = 16
const DISTINCT_STEPS_MIN = 8
const PRINTABLE = /^[\x20-\x7e\s]*$/

/**
 * Whether a key seems to be made up by a person: a repeated byte, a short pattern, a sequence, or text. Fewer than one
 * in 10^13 keys of 32 random bytes looks like that.
 */
export function isWeakKey(key: Buffer): boolean {
  const steps = key.map((byte, index) => byte - (key[index - 1] ?? 0)).subarray(1)
  const half = key.length / 2
  return (
    new Set(key).size < DISTINCT_BYTES_MIN ||
    new Set(steps).size < DISTINCT_STEPS_MIN ||
    key.subarray(0, half).equals(key.subarray(half)) ||
    PRINTABLE.test(key.toString('latin1'))
  )
}
