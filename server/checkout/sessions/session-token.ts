import { aessiv } from '@noble/ciphers/aes.js'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { bytesOfId, idOfBytes } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { Session } from './session.ts'

// A session token consists of the ids of business and session, encrypted with AES-SIV (RFC 5297) under a key that is
// not in the database: 16 bytes each and a 16-byte tag are 64 characters of base64url. The same session has the same
// token, so it can be returned again without being stored, and a forged or altered token is refused without a query.

/** Content of a token. */
export interface SessionPlace {
  businessId: string
  id: string
}

export interface SessionTokens {
  /** @returns 64 URL-safe characters */
  make(session: Pick<Session, 'businessId' | 'id' | 'tokenKeyId'>): string
  /** @returns `null` if the text is not a token of this service */
  open(token: string): SessionPlace | null
}

const SHAPE = /^[\w-]{64}$/
const ID_BYTES = 16
/** Maximum number of opened tokens in the cache, which takes a few megabytes. */
const OPENED_MAX = 20_000

/**
 * Makes and opens tokens, and caches them; one instance per process.
 *
 * @param purpose a token for one purpose is not valid for another: that of a wallet's frame does not open the session
 */
export function createSessionTokens(
  { keyring }: { keyring: Keyring },
  purpose: 'seal session tokens' | 'seal wallet frames' = 'seal session tokens',
): SessionTokens {
  const opened = createBoundedMap<SessionPlace>(OPENED_MAX)
  const keyOf = (id: string) => keyring.key(purpose, id).export()

  function read(token: string): SessionPlace | null {
    if (!SHAPE.test(token)) return null
    const sealed = Buffer.from(token, 'base64url')
    for (const id of keyring.ids) {
      const place = decrypt(keyOf(id), sealed)
      if (place !== null) return place
    }
    return null
  }

  return {
    make({ businessId, id, tokenKeyId }) {
      const plain = Buffer.concat([bytesOfId(businessId), bytesOfId(id)])
      const token = Buffer.from(aessiv(keyOf(tokenKeyId)).encrypt(plain)).toString('base64url')
      opened.set(token, { businessId, id })
      return token
    },
    open(token) {
      const known = opened.get(token)
      if (known) return known
      const place = read(token)
      if (place !== null) opened.set(token, place)
      return place
    },
  }
}

/** Decrypts a token; `null` if another key sealed it. A token is valid as long as its master key is configured. */
function decrypt(key: Uint8Array, sealed: Uint8Array): SessionPlace | null {
  try {
    const plain = aessiv(key).decrypt(sealed)
    return { businessId: idOfBytes(plain.subarray(0, ID_BYTES)), id: idOfBytes(plain.subarray(ID_BYTES)) }
  } catch {
    return null
  }
}
