import { type Expiry, plainDigits, readExpiry } from '../../contract/typed-card.ts'
import type { SentenceKey } from '../messages/text.ts'

const YEARS_AHEAD_MAX = 20

/** @returns the error, or `null` if it can be sent */
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

/** Formats the input as `MM / YY`; returns it unchanged if it is not a date yet. */
export function formatExpiry(text: string): string {
  const expiry = readExpiry(text)
  if (!expiry) return text
  return `${String(expiry.month).padStart(2, '0')} / ${String(expiry.year % 100).padStart(2, '0')}`
}
