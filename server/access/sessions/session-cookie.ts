import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../lib/keyring.ts'

// The cookie contains the token of the session and a keyed hash of it. The database has only the token, so nobody can
// make a cookie from a stolen table (DSH-10).

/** @param origin origin of the dashboard; a `__Host-` cookie needs HTTPS */
function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-rialto' : 'rialto'
}

/** Returns the value of the `Set-Cookie` header. */
export function setSessionCookie(keyring: Keyring, origin: string, token: string): string {
  const value = `${token}.${signature(keyring, keyring.currentId, `session ${token}`)}`
  return `${sessionCookieName(origin)}=${value}${attributes(origin)}`
}

export function clearSessionCookie(origin: string): string {
  return `${sessionCookieName(origin)}=${attributes(origin)}; Max-Age=0`
}

const attributes = (origin: string) =>
  `; Path=/; HttpOnly; SameSite=Strict${origin.startsWith('https:') ? '; Secure' : ''}`

/** @returns the token of the session; `null` without a cookie from this service */
export function readSessionCookie(keyring: Keyring, origin: string, header: string | undefined): string | null {
  const start = `${sessionCookieName(origin)}=`
  const cookie = header?.split(/; */).find((part) => part.startsWith(start))
  const [token, hash] = cookie?.slice(start.length).split('.') ?? []
  return token && hash && isSigned(keyring, `session ${token}`, hash) ? token : null
}

/** Returns the value that a page sends in `X-CSRF-Token`. It comes in a response that other origins cannot read. */
export function csrfToken(keyring: Keyring, sessionId: string): string {
  return signature(keyring, keyring.currentId, `csrf ${sessionId}`)
}

export function isCsrfToken(keyring: Keyring, sessionId: string, token: string): boolean {
  return isSigned(keyring, `csrf ${sessionId}`, token)
}

function isSigned(keyring: Keyring, text: string, hash: string): boolean {
  const given = Buffer.from(hash)
  return keyring.ids.some((id) => {
    const expected = Buffer.from(signature(keyring, id, text))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

function signature(keyring: Keyring, id: string, text: string): string {
  return createHmac('sha256', keyring.key('sign dashboard sessions', id)).update(text).digest('base64url')
}
