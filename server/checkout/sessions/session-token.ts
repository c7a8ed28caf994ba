import { createHmac, hash } from 'node:crypto'
import type { Keyring } from '../../lib/keyring.ts'

// A session token is made from the session's id and a key that is not in the database. So it can be shown again in lists,
// while a stolen database holds only its hash, which opens nothing.

const SHAPE = /^[0-9a-f]{64}$/

/** @returns 64 hexadecimal characters */
export function sessionToken(keyring: Keyring, sessionId: string, keyId: string): string {
  return createHmac('sha256', keyring.key('make session tokens', keyId)).update(sessionId).digest('hex')
}

export function isSessionToken(text: string): boolean {
  return SHAPE.test(text)
}

/** The token has 256 bits that nobody can guess: a plain hash finds it, and does not tell it. */
export function sessionTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
