/**
 * Returns the seconds that a `Retry-After` asks for, in either of its forms (RFC 9110, 10.2.3): a number, or a date.
 *
 * @returns `null` for any other text; 0 for a time in the past
 */
export function retryAfterSeconds(text: string | null, now: Date): number | null {
  if (text === null) return null
  if (/^\s*\d+\s*$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1_000)
}
