import { aessiv } from '@noble/ciphers/aes.js'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { bytesOfId, idOfBytes } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { Session } from './session.ts'

// A session token is the session's business and id, encrypted by AES-SIV (RFC 5297) under a key that is not in the database: 16
// bytes each and a tag of 16 are 64 characters of base64url. The same session gives the same token, so it can be shown again
// without being stored, and a token that was forged or altered is refused without a query.

/** What a token says. */
export interface SessionPlace {
  businessId: string
  id: string
}

export interface SessionTokens {
  /** @returns 64 characters that are safe in a URL */
  make(session: Pick<Session, 'businessId' | 'id' | 'tokenKeyId'>): string
  /** @returns `null` for a text that no key of this service has made */
  open(token: string): SessionPlace | null
}

const SHAPE = /^[\w-]{64}$/
const ID_BYTES = 16
/** A few megabytes. */
const OPENED_MAX = 20_000

/** One for each process: what it made or opened once it need not open again. */
export function createSessionTokens({ keyring }: { keyring: Keyring }): SessionTokens {
  const opened = createBoundedMap<SessionPlace>(OPENED_MAX)
  const keyOf = (id: string) => keyring.key('seal session tokens', id).export()

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

/** Newest key first: a token stays good while the master key that it was made under is configured. */
function decrypt(key: Uint8Array, sealed: Uint8Array): SessionPlace | null {
  try {
    const plain = aessiv(key).decrypt(sealed)
    return { businessId: idOfBytes(plain.subarray(0, ID_BYTES)), id: idOfBytes(plain.subarray(ID_BYTES)) }
  } catch {
    return null
  }
}
