import { domainToASCII, domainToUnicode } from 'node:url'

const CHARACTERS_MAX = 254
/** Pattern of one mailbox, without display name or list, in ASCII. It takes linear time for any text. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))+$/
const FOREIGN_DOMAIN = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

/** Message for an address whose domain is right, but whose mailbox few servers could deliver to. */
export const FOREIGN_MAILBOX = 'must have only letters a to z, digits and ASCII signs before the @'

/**
 * Whether a text is exactly one e-mail address. The domain may be internationalized; the part before the @ is ASCII.
 */
export const isEmailAddress = (text: string): boolean =>
  text.length <= CHARACTERS_MAX && EMAIL.test(emailOnTheWire(text)) && emailOnTheWire(text).length <= CHARACTERS_MAX

/** Returns the address in the form that mail servers take: `ana@xn--mller-kva.example` for `ana@müller.example`. */
export function emailOnTheWire(email: string): string {
  if (!/\P{ASCII}/u.test(email)) return email
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at)}@${asciiDomain(email.slice(at + 1))}`
}

/**
 * Returns the domain in ASCII; an empty text for anything that is not exactly one domain, because other spellings of a
 * domain could hide a dot or another domain.
 */
function asciiDomain(domain: string): string {
  if (!/\P{ASCII}/u.test(domain)) return domain
  if (!FOREIGN_DOMAIN.test(domain)) return ''
  const ascii = domainToASCII(domain)
  return domainToUnicode(ascii) === domain.normalize('NFC').toLowerCase() ? ascii : ''
}

/** Whether an address is refused only for the part before the @. */
export function hasForeignMailbox(text: string): boolean {
  const at = text.lastIndexOf('@')
  return (
    text.length <= CHARACTERS_MAX &&
    /\P{ASCII}/u.test(text.slice(0, Math.max(0, at))) &&
    isEmailAddress(`x${text.slice(at)}`)
  )
}
