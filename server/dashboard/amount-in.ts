import { type Cents, centsFromDecimal } from '../lib/money.ts'

const SIGN = String.raw`(?:(?:US|CA|C)?\$|USD|CAD)`
const SIGNED = new RegExp(String.raw`^${SIGN}?\s*(?<number>\d(?:.*\d)?)\s*${SIGN}?(?:\s*(?:US|CA))?$`, 'iu')
const GROUPS = /^(\d{1,3})((?:[,.\s’']\d{3})+)$/u

/**
 * Reads an amount as people write it in any of the dashboard's languages: `1,234.56`, `$40.00`, `40,00 $`, `1 234,56`.
 *
 * @returns `null` for anything else, and for a whole number without a dollar sign, which may be an order's
 */
export function amountIn(text: string): Cents | null {
  const number = SIGNED.exec(text)?.groups?.number
  if (number === undefined) return null
  const [, whole = number, point, fraction] = /^(.*)([.,])(\d{2})$/u.exec(number) ?? []
  if (fraction === undefined && number === text) return null
  const digits = withoutGroups(whole, point)
  return digits === null ? null : centsFromDecimal(Number(`${digits}.${fraction ?? '00'}`))
}

/** @param point the decimal separator, which does not separate thousands */
function withoutGroups(whole: string, point: string | undefined): string | null {
  if (/^\d{1,6}$/.test(whole)) return whole
  const [, first = '', groups = ''] = GROUPS.exec(whole) ?? []
  const separators = new Set(groups.replaceAll(/\d/g, ''))
  return separators.size === 1 && !separators.has(point ?? '') ? first + groups.replaceAll(/\D/g, '') : null
}
