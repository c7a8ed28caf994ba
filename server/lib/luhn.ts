const ZERO = 48

/**
 * The check digit every card number ends with (ISO/IEC 7812-1).
 *
 * @param digits digits only: what else is in it makes the response meaningless
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

/**
 * The same for every part of a long row of digits: each response takes one step, however long the part is.
 *
 * @param digits digits only
 * @returns whether the part from the first position up to the second one, not included, passes
 */
export function luhnOfParts(digits: string): (from: number, to: number) => boolean {
  // Sums up to each position, when every second digit is doubled: the even ones, or the odd ones.
  const sums = [new Uint32Array(digits.length + 1), new Uint32Array(digits.length + 1)] as const
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(at) - ZERO
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    for (const parity of [0, 1] as const)
      sums[parity][at + 1] = (sums[parity][at] ?? 0) + (at % 2 === parity ? doubled : digit)
  }
  return (from, to) => {
    // The last digit stands as it is, so the digit before it is doubled.
    const sum = sums[(to % 2) as 0 | 1]
    return ((sum[to] ?? 0) - (sum[from] ?? 0)) % 10 === 0
  }
}
