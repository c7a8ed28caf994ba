/**
 * Characters that the URL parser silently drops or replaces, so that browsers open another address than people read:
 * spaces, backslashes, control characters, and invisible characters, some of which also change the direction of
 * writing.
 */
const DECEIVING = /[\s\\\p{C}]/u
const USERINFO = /^[a-z][a-z\d+.-]*:\/*[^/?#]*@/i

/**
 * Returns why a URL must not be shown to people or opened for them; `null` if it may. Each field has its own rules
 * about scheme and origin.
 *
 * @see SEC-25
 */
export function shownUrlViolation(text: string): string | null {
  if (DECEIVING.test(text) || !URL.canParse(text)) return 'must be an absolute URL without blanks or control characters'
  if (USERINFO.test(text)) return 'must not contain a user name or password'
  return /^https?:\/\//i.test(text) ? null : 'must begin with https://'
}
