import { randomBytes } from 'node:crypto'
import { aessiv } from '@noble/ciphers/aes.js'
import type { Keyring } from '../../lib/keyring.ts'

// Stored sealed with AES-SIV (RFC 5297) under a key that is not in the database: the id of the master key, 4 bytes, then
// tag and ciphertext. AES-SIV needs no nonce, and secrets are random, so no two are sealed alike.

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const KEY_ID_BYTES = 4

/** A secret as Standard Webhooks has them (EVT-7). */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Seals with the current master key. */
export function sealWebhookSecret(keyring: Keyring, secret: string): Buffer {
  const sealed = aessiv(keyOf(keyring, keyring.currentId)).encrypt(Buffer.from(secret))
  return Buffer.concat([Buffer.from(keyring.currentId, 'hex'), sealed])
}

/** @throws when it was sealed with a master key that is no longer configured, or was modified */
export function openWebhookSecret(keyring: Keyring, sealed: Uint8Array): string {
  const keyId = Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).toString('hex')
  return Buffer.from(aessiv(keyOf(keyring, keyId)).decrypt(sealed.subarray(KEY_ID_BYTES))).toString()
}

const keyOf = (keyring: Keyring, id: string): Uint8Array => keyring.key('seal webhook secrets', id).export()
