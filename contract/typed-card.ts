// What payers type, paste and let a password manager fill in. The page's script and the server read it in the same way.

const ZEROS_OF_OTHER_DIGITS = [0x0660, 0x06f0, 0xff10]
const DIGIT = '\\d\\u0660-\\u0669\\u06f0-\\u06f9\\uff10-\\uff19'

/** Returns only the digits, as 0 to 9: Arabic-Indic, Persian and full-width digits are converted. */
export function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, toPlainDigit).replace(/\D/g, '')
}

function toPlainDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  const zero = ZEROS_OF_OTHER_DIGITS.findLast((start) => start <= code) ?? code
  return String(code - zero)
}

export interface Expiry {
  /** 1 to 12, unless it was typed wrongly. */
  month: number
  /** Four digits. */
  year: number
}

/**
 * Reads `1/31`, `01 / 31`, `0131`, `01/2031`, `012031`, `2031-01`, `203101` and `2031-01-31`, with blanks anywhere;
 * returns `null` if the text is not a month and a year.
 */
export function readExpiry(text: string): Expiry | null {
  const [first = '', second = '', ...rest] = partsOf(text)
  const [month, year] = first.length === 4 ? [second, first] : [first, second]
  const isDay = rest.length === 1 && first.length === 4 && /^\d{1,2}$/.test(rest[0] ?? '')
  if ((rest.length > 0 && !isDay) || !/^\d{1,2}$/.test(month) || !/^(\d{2}|\d{4})$/.test(year)) return null
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

/**
 * Splits the text at a sign between the numbers; without one at a blank; without either by the lengths of the numbers.
 */
function partsOf(text: string): string[] {
  const bySign = text.split(new RegExp(`[^${DIGIT}\\s]+`)).filter((part) => plainDigits(part) !== '')
  if (bySign.length > 1) return bySign.map(plainDigits)
  const byBlank = text.split(/\s+/).map(plainDigits).filter(Boolean)
  return byBlank.length === 2 ? byBlank : splitDigits(byBlank.join(''))
}

/** Splits digits without a separator. Six digits begin with the year unless they begin with a month. */
function splitDigits(digits: string): string[] {
  const startsWithYear = digits.length === 6 && !/^(0[1-9]|1[0-2])/.test(digits)
  const length = startsWithYear ? 4 : digits.length % 2 === 0 ? 2 : 1
  return [digits.slice(0, length), digits.slice(length)]
}
