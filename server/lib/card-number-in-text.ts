import creditCardType from 'credit-card-type'
import { luhnOfParts } from './luhn.ts'

const DIGITS_MIN = 13
const DIGITS_MAX = 19
/**
 * Shorter numbers of networks that Rialto does not accept are taken for telephone numbers: those of Indonesia begin
 * like Maestro cards.
 */
const OTHER_DIGITS_MIN = 16
const ACCEPTED = new Set(['visa', 'mastercard', 'american-express', 'diners-club', 'discover', 'jcb', 'unionpay'])
/** The length of early Visa cards, which the library does not have. */
const OLD_VISA_DIGITS = 13

/** Runs of digits, separated by anything but letters and digits: spaces, dashes, dots, slashes, line breaks. */
const RUNS = /\+?\d+(?:[^\p{L}\p{N}]+\d+)*/gu
/** Invisible characters, and marks on other characters. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu
/** Ids may contain long numbers, but never a card number. Some clients write them without dashes. */
const UUID = /\b[0-9a-f]{8}(-?)[0-9a-f]{4}\1[1-8][0-9a-f]{3}\1[89ab][0-9a-f]{3}\1[0-9a-f]{12}\b/gi

/**
 * Whether a text contains a card number, however it is spelled: 13 to 19 digits of any script, with the prefix and
 * length of a card network and a valid check digit, alone or among other text. Adjacent groups of digits are joined in
 * every way, so a number is also found beside an order number or an expiry date. A longer row of digits without a break
 * does not count.
 */
export function holdsCardNumber(text: string): boolean {
  // A fast path for short texts. NFKC may expand one non-ASCII character to several digits.
  if (text.length < DIGITS_MIN && ASCII.test(text)) return false
  return (plainText(text).match(RUNS) ?? []).some(runHoldsCardNumber)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\u0000-\u007f]*$/

function plainText(text: string): string {
  const plain = ASCII.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(INVISIBLE, '')
        .replace(/\p{Nd}/gu, asciiDigit)
  return plain.replace(UUID, 'id')
}

/** In Unicode the digits of every script are consecutive, zero first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

interface Group {
  from: number
  to: number
  hasPlus: boolean
}

function runHoldsCardNumber(run: string): boolean {
  const digits = run.replace(/\D/g, '')
  if (digits.length < DIGITS_MIN) return false
  const groups = groupsOf(run)
  const passesLuhn = luhnOfParts(digits)
  return groups.some(({ from, hasPlus }, first) => {
    for (let index = first; index < groups.length; index += 1) {
      const { to } = groups[index] as Group
      if (to - from > DIGITS_MAX) return false
      const isCandidate = to - from >= DIGITS_MIN && passesLuhn(from, to)
      if (isCandidate && isOfNetwork(digits.slice(from, to), hasPlus)) return true
    }
    return false
  })
}

function groupsOf(run: string): Group[] {
  let from = 0
  return (run.match(/\+?\d+/g) ?? []).map((group) => {
    const hasPlus = group.startsWith('+')
    const to = from + group.length - Number(hasPlus)
    const found = { from, to, hasPlus }
    from = to
    return found
  })
}

/** Thirteen digits after a plus sign are a telephone number: German mobile numbers begin like Visa cards. */
function isOfNetwork(digits: string, hasPlus: boolean): boolean {
  if (hasPlus && digits.length === OLD_VISA_DIGITS) return false
  return (PREFIXES.get(digits.slice(0, 1)) ?? []).some(({ length, from, to, lengths }) => {
    const start = Number(digits.slice(0, length))
    return lengths.has(digits.length) && start >= from && start <= to
  })
}

interface Prefix {
  length: number
  from: number
  to: number
  /** Of the whole number. */
  lengths: ReadonlySet<number>
}

/** By the first digit of the number. */
const PREFIXES: ReadonlyMap<string, Prefix[]> = Map.groupBy(
  Object.values(creditCardType.types).flatMap(prefixesOf),
  ({ from }) => String(from).slice(0, 1),
)

function prefixesOf(network: string): Prefix[] {
  const { patterns, lengths } = creditCardType.getTypeInfo(network)
  const counted = lengths.filter((length) => length >= (ACCEPTED.has(network) ? DIGITS_MIN : OTHER_DIGITS_MIN))
  const known = new Set(network === 'visa' ? [...counted, OLD_VISA_DIGITS] : counted)
  return patterns.flatMap((pattern) => {
    const [from = 0, to = from] = [pattern].flat() as number[]
    return byFirstDigit(from, to).map((range) => ({ length: String(from).length, lengths: known, ...range }))
  })
}

/** 56 to 69 begins with two digits: 56 to 59, and 60 to 69. */
function byFirstDigit(from: number, to: number): { from: number; to: number }[] {
  const unit = 10 ** (String(from).length - 1)
  const firstEnd = (Math.floor(from / unit) + 1) * unit - 1
  return to <= firstEnd ? [{ from, to }] : [{ from, to: firstEnd }, ...byFirstDigit(firstEnd + 1, to)]
}
