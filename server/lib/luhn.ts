const ZERO = 48

/**
 * Verifies the check digit that every card number ends with (ISO/IEC 7812-1).
 *
 * @param digits digits only; anything else makes the result meaningless
 */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - ZERO
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** @returns the digits with the check digit that they need: `withCheckDigit('424242424242424')` is 4242424242424242 */
export function withCheckDigit(digits: string): string {
  const last = Array.from('0123456789').find((digit) => passesLuhn(digits + digit))
  if (last === undefined) throw new Error(`${digits} is not all digits`)
  return digits + last
}

/**
 * Returns a check like `passesLuhn` for any part of a long row of digits, in constant time for each part.
 *
 * @param digits digits only
 * @returns a function that tells whether the part from the first position to the second, exclusive, passes
 */
export function luhnOfParts(digits: string): (from: number, to: number) => boolean {
  // Sums up to each position, with the digits at even or at odd positions doubled.
  const sums = [new Uint32Array(digits.length + 1), new Uint32Array(digits.length + 1)] as const
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(at) - ZERO
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    for (const parity of [0, 1] as const)
      sums[parity][at + 1] = (sums[parity][at] ?? 0) + (at % 2 === parity ? doubled : digit)
  }
  return (from, to) => {
    // The last digit is not doubled, so the digit before it is.
    const sum = sums[(to % 2) as 0 | 1]
    return ((sum[to] ?? 0) - (sum[from] ?? 0)) % 10 === 0
  }
}
