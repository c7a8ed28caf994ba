import type { SentenceKey } from '../messages/text.ts'
import { plainDigits } from './card-number.ts'

const YEARS_AHEAD_MAX = 20

export interface Expiry {
  /** 1 to 12. */
  month: number
  /** Four digits. */
  year: number
}

/** Reads `1/31`, `01/31`, `0131`, `01/2031`, `012031` and `2031-01`; `null` while it is not a month and a year. */
export function readExpiry(text: string): Expiry | null {
  const parts = text
    .split(/[^\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]+/)
    .map(plainDigits)
    .filter(Boolean)
  const [first = '', second = ''] = parts.length > 1 ? parts : splitDigits(parts[0] ?? '')
  const [month, year] = first.length === 4 ? [second, first] : [first, second]
  if (parts.length > 2 || !/^\d{1,2}$/.test(month) || !/^(\d{2}|\d{4})$/.test(year)) return null
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

function splitDigits(digits: string): [string, string] {
  const monthLength = digits.length % 2 === 0 ? 2 : 1
  return [digits.slice(0, monthLength), digits.slice(monthLength)]
}

/** @returns the error, or `null` when it can be sent */
export function checkExpiry(text: string, now: Date): SentenceKey | null {
  if (plainDigits(text) === '') return 'expiry_required'
  const expiry = readExpiry(text)
  if (!expiry) return 'expiry_incomplete'
  if (expiry.month < 1 || expiry.month > 12) return 'expiry_invalid'
  if (expiry.year > now.getUTCFullYear() + YEARS_AHEAD_MAX) return 'expiry_too_far'
  return isPast(expiry, now) ? 'expiry_past' : null
}

/** A card is valid until the last day of its month has ended everywhere: in UTC-12. */
function isPast({ month, year }: Expiry, now: Date): boolean {
  const hoursBehind = 12
  return now.getTime() >= Date.UTC(year, month, 1, hoursBehind)
}

/** Writes what was typed as `MM / YY`; leaves unchanged what is not yet a date. */
export function formatExpiry(text: string): string {
  const expiry = readExpiry(text)
  if (!expiry) return text
  return `${String(expiry.month).padStart(2, '0')} / ${String(expiry.year % 100).padStart(2, '0')}`
}
