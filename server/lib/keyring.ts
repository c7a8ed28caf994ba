import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

export const MASTER_KEY_BYTES = 32
/** Key lengths other than the default. AES-SIV takes two keys, one to encrypt and one to authenticate. */
const KEY_BYTES: Partial<Record<KeyPurpose, number>> = {
  'seal session tokens': 64,
  'seal wallet frames': 64,
  'seal webhook secrets': 64,
  'seal second factors': 64,
  'seal authentications': 64,
  'seal wallet keys': 64,
  'seal letters': 64,
}

/** Purpose of a key. Each has its own derived key, so that one use cannot be turned against another. */
export type KeyPurpose =
  | 'wrap data keys'
  | 'fingerprint cards'
  | 'hash credentials'
  | 'seal session tokens'
  | 'seal wallet frames'
  | 'hash rate limit keys'
  | 'seal webhook secrets'
  | 'seal second factors'
  | 'seal authentications'
  | 'seal wallet keys'
  | 'seal letters'
  | 'sign dashboard sessions'

/** The master keys of this service. The first is current; older ones still open what was encrypted with them. */
export interface Keyring {
  currentId: string
  ids: readonly string[]
  /** @throws if no master key has that id, because it was removed from the configuration too early */
  key(purpose: KeyPurpose, id: string): KeyObject
}

/** @param masterKeys 32 bytes each, current one first */
export function createKeyring(masterKeys: readonly Buffer[]): Keyring {
  const masters = new Map(masterKeys.map((master) => [keyId(master), master]))
  const derived = new Map<string, KeyObject>()
  const [currentId] = masters.keys()
  if (currentId === undefined) throw new Error('A keyring needs at least one master key')
  return {
    currentId,
    ids: [...masters.keys()],
    key(purpose, id) {
      const name = `${id} ${purpose}`
      const known = derived.get(name)
      if (known) return known
      const master = masters.get(id)
      if (!master) throw new Error(`No master key with id ${id} is configured`)
      const bytes = hkdfSync('sha256', master, '', `rialto ${purpose}`, KEY_BYTES[purpose] ?? MASTER_KEY_BYTES)
      // A KeyObject does not print its bytes. An HMAC with it takes 3 microseconds, with a buffer 17 (measured).
      const key = createSecretKey(Buffer.from(bytes))
      derived.set(name, key)
      return key
    },
  }
}

/** Identifies a key without revealing anything about it. */
function keyId(master: Buffer): string {
  return createHash('sha256').update('rialto key id').update(master).digest('hex').slice(0, 8)
}

/**
 * Returns the keyed hashes that a credential may be stored under, current key first. Long random secrets need no slow
 * hash; the key makes a stolen table useless for checking guesses.
 */
export function credentialHashes(keyring: Keyring, secret: string): Buffer[] {
  return keyring.ids.map((id) => createHmac('sha256', keyring.key('hash credentials', id)).update(secret).digest())
}

/** Returns the hash to store. */
export function credentialHash(keyring: Keyring, secret: string): Buffer {
  const [current] = credentialHashes(keyring, secret)
  if (!current) throw new Error('A keyring has at least one key')
  return current
}

/** Returns the key of a rate limit counter. It does not reveal the token or address that is counted. */
export function limiterKey(keyring: Keyring, limit: string, caller: string): string {
  const key = keyring.key('hash rate limit keys', keyring.currentId)
  return createHmac('sha256', key).update(`${limit}\0${caller}`).digest('base64url')
}
