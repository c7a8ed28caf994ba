import { aessiv } from '@noble/ciphers/aes.js'
import type { KeyPurpose, Keyring } from './keyring.ts'

// Stored sealed with AES-SIV (RFC 5297) under a key that is not in the database: the id of the master key, 4 bytes,
// then tag and ciphertext. The row is authenticated with it, so that a text copied to another row does not open.
// AES-SIV needs no nonce, and secrets are random, so no two are sealed alike.

const KEY_ID_BYTES = 4

/** Purposes with a key of 64 bytes: two keys. */
type SealPurpose = Extract<
  KeyPurpose,
  `seal ${'webhook secrets' | 'second factors' | 'authentications' | 'wallet keys' | 'letters'}`
>

/**
 * Seals with the current master key.
 *
 * @param row the place that it is stored in: it opens nowhere else
 */
export function sealText(keyring: Keyring, purpose: SealPurpose, row: string, text: string): Buffer {
  const sealed = aessiv(keyOf(keyring, purpose, keyring.currentId), Buffer.from(row)).encrypt(Buffer.from(text))
  return Buffer.concat([Buffer.from(keyring.currentId, 'hex'), sealed])
}

/**
 * @throws when it was sealed for another row, or with a master key that is no longer configured, or was modified
 */
export function openText(keyring: Keyring, purpose: SealPurpose, row: string, sealed: Uint8Array): string {
  const keyId = Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).toString('hex')
  const key = keyOf(keyring, purpose, keyId)
  return Buffer.from(aessiv(key, Buffer.from(row)).decrypt(sealed.subarray(KEY_ID_BYTES))).toString()
}

const keyOf = (keyring: Keyring, purpose: SealPurpose, id: string): Uint8Array => keyring.key(purpose, id).export()
