const DISTINCT_BYTES_MIN = 16
const DISTINCT_STEPS_MIN = 8
const PRINTABLE = /^[\x20-\x7e\s]*$/

/**
 * Whether a person made the key up: one byte over and over, a short pattern, a sequence, or text. Of 32 random bytes fewer
 * than one in 10^13 looks so.
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
