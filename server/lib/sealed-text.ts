import { aessiv } from '@noble/ciphers/aes.js'
import type { KeyPurpose, Keyring } from './keyring.ts'

// A text is stored encrypted with AES-SIV (RFC 5297) under a key that is not in the database: first the id of the
// master key, 4 bytes, then tag and ciphertext. The row is authenticated, too, so that a text copied to another row
// cannot be opened. AES-SIV needs no nonce; secrets are random, so no two ciphertexts are the same.

const KEY_ID_BYTES = 4

/** Purposes whose key has 64 bytes: two keys. */
type SealPurpose = Extract<
  KeyPurpose,
  `seal ${'webhook secrets' | 'second factors' | 'authentications' | 'wallet keys' | 'letters'}`
>

/**
 * Encrypts with the current master key.
 *
 * @param row row that the text is stored in; it cannot be opened for another one
 */
export function sealText(keyring: Keyring, purpose: SealPurpose, row: string, text: string): Buffer {
  const sealed = aessiv(keyOf(keyring, purpose, keyring.currentId), Buffer.from(row)).encrypt(Buffer.from(text))
  return Buffer.concat([Buffer.from(keyring.currentId, 'hex'), sealed])
}

/**
 * @throws if the text was encrypted for another row or with a master key that is no longer configured, or was modified
 */
export function openText(keyring: Keyring, purpose: SealPurpose, row: string, sealed: Uint8Array): string {
  const keyId = Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).toString('hex')
  const key = keyOf(keyring, purpose, keyId)
  return Buffer.from(aessiv(key, Buffer.from(row)).decrypt(sealed.subarray(KEY_ID_BYTES))).toString()
}

const keyOf = (keyring: Keyring, purpose: SealPurpose, id: string): Uint8Array => keyring.key(purpose, id).export()
