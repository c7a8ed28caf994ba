/**
 * Characters that the URL parser silently drops or replaces, so that browsers open another address than people read:
 * blanks, backslashes, control characters, and invisible ones that may also turn the direction of writing.
 */
const DECEIVING = /[\s\\\p{C}]/u
const USERINFO = /^[a-z][a-z\d+.-]*:\/*[^/?#]*@/i

/**
 * Why people may not be shown or led to a URL; `null` if they may. Rules about the scheme's security and the origin are
 * those of the field.
 *
 * @see SEC-25
 */
export function shownUrlViolation(text: string): string | null {
  if (DECEIVING.test(text) || !URL.canParse(text)) return 'must be an absolute URL without blanks or control characters'
  if (USERINFO.test(text)) return 'must not contain a user name or password'
  return /^https?:\/\//i.test(text) ? null : 'must begin with https://'
}
