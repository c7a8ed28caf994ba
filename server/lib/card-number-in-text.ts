import creditCardType from 'credit-card-type'
import { luhnOfParts } from './luhn.ts'

const DIGITS_MIN = 13
/**
 * Shortest number of networks that Rialto does not accept. Shorter ones are taken for telephone numbers: those of
 * Indonesia begin like Maestro cards.
 */
const OTHER_DIGITS_MIN = 16
const ACCEPTED = new Set(['visa', 'mastercard', 'american-express', 'diners-club', 'discover', 'jcb', 'unionpay'])
/** The length of early Visa cards, which the library does not have. */
const OLD_VISA_DIGITS = 13

const FOREIGN_LETTERS = /[[\p{L}\p{N}]--\p{ASCII}]+/gv
/** Numbers, and symbols that NFKC makes digits of: `㋀` is `1月`. */
const FOREIGN_DIGIT = /[[\p{N}\p{So}]--\p{ASCII}]/v
/** Letters, which never become digits. */
const FOREIGN_WORDS = /[\p{L}--\p{ASCII}]+/gv
/** Invisible characters, and marks on other characters, including the two letters that NFKC turns into marks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}\uff9e\uff9f]+/gu
/** Ids may contain long numbers, but never a card number. Some clients write them without dashes. */
const UUID = /\b[0-9a-f]{8}(-?)[0-9a-f]{4}\1[1-8][0-9a-f]{3}\1[89ab][0-9a-f]{3}\1[0-9a-f]{12}\b/gi

/**
 * Whether a text contains a card number, however it is spelled: 13 to 19 digits of any script, with the prefix and
 * length of a card network and a valid check digit, alone or among other text. Adjacent groups of digits are joined in
 * every way, so a number is also found beside an order number or an expiry date. A longer row of digits without a break
 * does not count.
 *
 * The time is linear in the length of any text.
 */
export function holdsCardNumber(text: string): boolean {
  // A fast path for short texts. NFKC may expand one non-ASCII character to several digits.
  if (text.length < DIGITS_MIN && !/\P{ASCII}/u.test(text)) return false
  if (!/\d/.test(text) && !FOREIGN_DIGIT.test(text)) return false
  const plain = plainText(text)
  let start = 0
  for (let at = 0; at <= plain.length; at += 1) {
    if (at < plain.length && !isLetter(plain.charCodeAt(at))) continue
    if (runHoldsCardNumber(plain.slice(start, at))) return true
    start = at + 1
  }
  return false
}

/**
 * Whether a character ends a run of digits. Anything but a letter, such as spaces, dashes, dots, slashes and line
 * breaks, only separates groups.
 */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** Converts digits to ASCII digits, and letters of any script to ASCII letters. */
function plainText(text: string): string {
  const plain = /\P{ASCII}/u.test(text) ? withAsciiDigits(text) : text
  return plain.replace(UUID, 'id')
}

/**
 * Removes marks and replaces words before it normalizes: normalizing sorts marks, in time that grows with the square of
 * their number, and expands some letters to eighteen characters.
 */
function withAsciiDigits(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(FOREIGN_WORDS, 'x')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/[^\P{Nd}0-9]/gu, (digit) => ASCII_DIGITS.get(digit) ?? asciiDigit(digit))
    .replace(FOREIGN_LETTERS, 'x')
}

const ASCII_DIGITS = new Map<string, string>()

/** Converts a digit. In Unicode the digits of every script are consecutive, zero first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  const ascii = String((code - zero) % 10)
  ASCII_DIGITS.set(digit, ascii)
  return ascii
}

function runHoldsCardNumber(run: string): boolean {
  if (run.length < DIGITS_MIN) return false
  const { digits, bounds } = groupsOf(run)
  if (digits.length < DIGITS_MIN) return false
  const passesLuhn = luhnOfParts(digits)
  for (let from = 0; from + DIGITS_MIN <= digits.length; from += 1) {
    if (bounds[from] === INSIDE) continue
    const networks = PREFIXES[digits.charCodeAt(from) - ZERO] ?? NO_NETWORKS
    for (const length of networks.lengths) {
      const to = from + length
      const isCandidate = to <= digits.length && bounds[to] !== INSIDE && passesLuhn(from, to)
      if (isCandidate && isOfNetwork(digits.slice(from, to), networks, bounds[from] === AFTER_PLUS)) return true
    }
  }
  return false
}

const ZERO = 48
/** Kinds of positions among the digits of a run: within a group, between groups, and after a plus sign. */
const INSIDE = 0
const BOUND = 1
const AFTER_PLUS = 2

function groupsOf(run: string): { digits: string; bounds: Uint8Array } {
  const bounds = new Uint8Array(run.length + 1)
  const codes = new Uint8Array(run.length)
  let count = 0
  let before = 0
  for (let at = 0; at < run.length; at += 1) {
    const code = run.charCodeAt(at)
    if (isDigit(code)) {
      if (!isDigit(before)) bounds[count] = before === PLUS ? AFTER_PLUS : BOUND
      codes[count] = code
      count += 1
    }
    before = code
  }
  bounds[count] = BOUND
  return { digits: Buffer.from(codes.buffer, 0, count).toString('latin1'), bounds }
}

const PLUS = 43
const isDigit = (code: number) => code >= ZERO && code <= ZERO + 9

/**
 * Whether digits fit a network. Thirteen digits after a plus sign are a telephone number: German mobile numbers begin
 * like Visa cards.
 */
function isOfNetwork(digits: string, { prefixes }: Networks, hasPlus: boolean): boolean {
  if (hasPlus && digits.length === OLD_VISA_DIGITS) return false
  return prefixes.some(({ length, from, to, lengths }) => {
    const start = Number(digits.slice(0, length))
    return lengths.has(digits.length) && start >= from && start <= to
  })
}

interface Prefix {
  length: number
  from: number
  to: number
  /** Possible lengths of the whole number. */
  lengths: ReadonlySet<number>
}

/** Possible prefixes and lengths of numbers with the same first digit. */
interface Networks {
  prefixes: Prefix[]
  lengths: number[]
}
const NO_NETWORKS: Networks = { prefixes: [], lengths: [] }

/** Networks by the first digit of the number. */
const PREFIXES: readonly Networks[] = networksByFirstDigit()

function networksByFirstDigit(): Networks[] {
  const all = Object.values(creditCardType.types).flatMap(prefixesOf)
  return Array.from('0123456789', (digit) => {
    const prefixes = all.filter(({ from }) => String(from).startsWith(digit))
    return { prefixes, lengths: [...new Set(prefixes.flatMap(({ lengths }) => [...lengths]))] }
  })
}

function prefixesOf(network: string): Prefix[] {
  const { patterns, lengths } = creditCardType.getTypeInfo(network)
  const counted = lengths.filter((length) => length >= (ACCEPTED.has(network) ? DIGITS_MIN : OTHER_DIGITS_MIN))
  const known = new Set(network === 'visa' ? [...counted, OLD_VISA_DIGITS] : counted)
  return patterns.flatMap((pattern) => {
    const [from = 0, to = from] = [pattern].flat() as number[]
    return byFirstDigit(from, to).map((range) => ({ length: String(from).length, lengths: known, ...range }))
  })
}

/** Splits a range by first digit: 56 to 69 becomes 56 to 59, and 60 to 69. */
function byFirstDigit(from: number, to: number): { from: number; to: number }[] {
  const unit = 10 ** (String(from).length - 1)
  const firstEnd = (Math.floor(from / unit) + 1) * unit - 1
  return to <= firstEnd ? [{ from, to }] : [{ from, to: firstEnd }, ...byFirstDigit(firstEnd + 1, to)]
}
