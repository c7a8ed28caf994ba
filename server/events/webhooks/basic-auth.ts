import type { Keyring } from '../../lib/keyring.ts'
import { openText, sealText } from '../../lib/sealed-text.ts'

/** Maximum length of a user name, and of a password. */
const CHARACTERS_MAX = 1_024
const CONTROL = /\p{Cc}/u

export interface SplitUrl {
  /** URL without credentials, as it may be shown. */
  url: string
  /** User name, colon and password; `null` if the URL has neither. */
  credentials: string | null
  /** Why the credentials cannot be sent; `null` if they can. */
  refusal: string | null
}

/**
 * Removes user name and password from a URL. A text that is not a URL, or has neither, is left unchanged.
 *
 * @see EVT-144
 */
export function splitUrl(text: string): SplitUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.username === '' && url.password === '')) return { url: text, credentials: null, refusal: null }
  const [user, password] = [percentDecoded(url.username), percentDecoded(url.password)]
  url.username = ''
  url.password = ''
  return { url: url.href, credentials: `${user}:${password}`, refusal: refusalOf(user, password) }
}

function refusalOf(user: string | null, password: string | null): string | null {
  if (user === null || password === null) return 'must have its user name and password in UTF-8'
  if (user.includes(':')) return 'must have a user name without a colon'
  if (CONTROL.test(user + password)) return 'must have a user name and a password without control characters'
  const longest = Math.max([...user].length, [...password].length)
  return longest > CHARACTERS_MAX
    ? `must have a user name and a password of at most ${CHARACTERS_MAX} characters`
    : null
}

/** Decodes a text. A percent sign that does not encode anything stands for itself, as in the URL standard. */
function percentDecoded(text: string): string | null {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return null
  }
}

/** Returns the `Authorization` header with the credentials (RFC 7617). */
export const basicAuthorization = (credentials: string): string =>
  `Basic ${Buffer.from(credentials).toString('base64')}`

/** Names the row, the column and the host that credentials are sealed for. */
interface OfUrl {
  businessId: string
  id: string
  url: string
}

const placeOf = ({ businessId, id, url }: OfUrl) =>
  `webhook_endpoint basic_auth ${businessId} ${id} ${new URL(url).origin}`

/** Seals with the current master key. */
export const sealCredentials = (keyring: Keyring, endpoint: OfUrl, credentials: string): Buffer =>
  sealText(keyring, 'seal webhook secrets', placeOf(endpoint), credentials)

/**
 * @throws if the credentials belong to another endpoint or origin, were modified, or their master key is no longer
 *   configured
 */
export const openCredentials = (keyring: Keyring, endpoint: OfUrl, sealed: Uint8Array): string =>
  openText(keyring, 'seal webhook secrets', placeOf(endpoint), sealed)

/** Returns the forms in which a receiver may echo the credentials. */
export function credentialTexts(credentials: string): string[] {
  const [user = '', ...rest] = credentials.split(':')
  return [credentials, user, rest.join(':')].flatMap((text) => {
    const base64 = Buffer.from(text).toString('base64').replace(/=+$/, '')
    const misread = Buffer.from(text).toString('latin1')
    return [text, misread, encodeURIComponent(text), base64, base64.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
