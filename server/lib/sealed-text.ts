import { aessiv } from '@noble/ciphers/aes.js'
import type { KeyPurpose, Keyring } from './keyring.ts'

// Stored sealed with AES-SIV (RFC 5297) under a key that is not in the database: the id of the master key, 4 bytes,
// then tag and ciphertext. AES-SIV needs no nonce, and secrets are random, so no two are sealed alike.

const KEY_ID_BYTES = 4

/** Of 64 bytes: two keys. */
type SealPurpose = Extract<
  KeyPurpose,
  `seal ${'webhook secrets' | 'second factors' | 'authentications' | 'wallet keys'}`
>

/** Seals with the current master key. */
export function sealText(keyring: Keyring, purpose: SealPurpose, text: string): Buffer {
  const sealed = aessiv(keyOf(keyring, purpose, keyring.currentId)).encrypt(Buffer.from(text))
  return Buffer.concat([Buffer.from(keyring.currentId, 'hex'), sealed])
}

/** @throws when it was sealed with a master key that is no longer configured, or was modified */
export function openText(keyring: Keyring, purpose: SealPurpose, sealed: Uint8Array): string {
  const keyId = Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).toString('hex')
  return Buffer.from(aessiv(keyOf(keyring, purpose, keyId)).decrypt(sealed.subarray(KEY_ID_BYTES))).toString()
}

const keyOf = (keyring: Keyring, purpose: SealPurpose, id: string): Uint8Array => keyring.key(purpose, id).export()
