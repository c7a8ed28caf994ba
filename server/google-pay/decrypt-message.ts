import { isUtf8 } from 'node:buffer'
import { createDecipheriv, createHmac, diffieHellman, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { keyOfPoint } from './curve.ts'
import { base64, exactly, jsonObject } from './members.ts'
import { TokenRefused } from './token-refused.ts'

const KEY_BYTES = 32
const INITIALIZATION_VECTOR = Buffer.alloc(16)

/**
 * Decrypts a message with the matching private key. The MAC is checked before anything is decrypted.
 *
 * @param privateKeys keys of the recipient; several during a rotation
 * @throws TokenRefused
 * @see GPY-4, GPY-10
 */
export function decryptMessage(signedMessage: string, privateKeys: readonly KeyObject[]): string {
  const step = 'signed message'
  const members = exactly(jsonObject(signedMessage, step), ['encryptedMessage', 'ephemeralPublicKey', 'tag'], step)
  const encrypted = base64(members.encryptedMessage, step)
  const point = base64(members.ephemeralPublicKey, step)
  const tag = base64(members.tag, step)
  const publicKey = keyOfPoint(point)
  if (!publicKey) throw new TokenRefused('decryption')
  for (const privateKey of privateKeys) {
    const { encryptionKey, macKey } = deriveKeys(point, diffieHellman({ privateKey, publicKey }))
    if (hasTag(macKey, encrypted, tag)) return textOf(decipher(encryptionKey, encrypted))
  }
  throw new TokenRefused('decryption')
}

/** Derives the keys by HKDF with SHA-256, without a salt. */
export function deriveKeys(point: Buffer, sharedSecret: Buffer): { encryptionKey: Buffer; macKey: Buffer } {
  const material = Buffer.concat([point, sharedSecret])
  const keys = Buffer.from(hkdfSync('sha256', material, '', 'Google', 2 * KEY_BYTES))
  return { encryptionKey: keys.subarray(0, KEY_BYTES), macKey: keys.subarray(KEY_BYTES) }
}

export function hasTag(macKey: Buffer, encrypted: Buffer, tag: Buffer): boolean {
  const right = createHmac('sha256', macKey).update(encrypted).digest()
  return tag.length === right.length && timingSafeEqual(tag, right)
}

/** Decrypts a message. Its key is used only for this message, so the counter begins at zero. */
export function decipher(key: Buffer, encrypted: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${8 * key.length}-ctr`, key, INITIALIZATION_VECTOR)
  return Buffer.concat([cipher.update(encrypted), cipher.final()])
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new TokenRefused('payload')
  return bytes.toString()
}
