import { passesLuhn } from '../../server/lib/luhn.ts'

/** A number that ends with the right digit: `withCheckDigit('424242424242424')` is 4242424242424242. */
export function withCheckDigit(digits: string): string {
  const number = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(passesLuhn)
  if (number === undefined) throw new Error(`${digits} is not all digits`)
  return number
}
