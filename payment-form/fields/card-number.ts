import { plainDigits } from '../../contract/typed-card.ts'
import type { SentenceKey } from '../messages/text.ts'
import { detectBrand } from './card-brands.ts'

const CARD_DIGITS_MAX = 19
const CARD_DIGITS_MIN = 12
/** Number of digits from which the brand is certain, so that a brand that is not accepted can be refused at once. */
const BRAND_DIGITS = 6

/** Groups the digits: `4242 4242 4242 4242`, or 4-6-5 for American Express. */
export function groupCardNumber(digits: string): string {
  const gaps = detectBrand(digits)?.gaps ?? [4, 8, 12]
  return [...digits].map((digit, at) => (gaps.includes(at) ? ` ${digit}` : digit)).join('')
}

/** Returns how many digits this number can have at most. */
export function digitsAllowed(digits: string): number {
  return Math.max(...(detectBrand(digits)?.lengths ?? [CARD_DIGITS_MAX]))
}

/**
 * Checks a card number.
 *
 * @param accepted brand ids; empty means all
 * @returns the error, or `null` if the number can be sent
 */
export function checkCardNumber(text: string, accepted: readonly string[]): SentenceKey | null {
  const digits = plainDigits(text)
  const brand = detectBrand(digits)
  if (digits === '') return 'card_number_required'
  if (isBrandRefused(digits, accepted)) return 'card_brand_not_accepted'
  const lengths = brand?.lengths ?? []
  const isShort = digits.length < Math.min(CARD_DIGITS_MIN, ...lengths)
  if (isShort || (brand && digits.length < Math.max(...lengths) && !lengths.includes(digits.length)))
    return 'card_number_incomplete'
  if (brand ? !lengths.includes(digits.length) : digits.length > CARD_DIGITS_MAX) return 'card_number_invalid'
  // UnionPay has cards without a check digit.
  return brand?.id === 'unionpay' || passesLuhn(digits) ? null : 'card_number_invalid'
}

/** Returns true as soon as no further digit can make the number acceptable. */
export function isBrandRefused(digits: string, accepted: readonly string[]): boolean {
  const brand = detectBrand(digits)
  return digits.length >= BRAND_DIGITS && brand !== null && accepted.length > 0 && !accepted.includes(brand.id)
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [at, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
