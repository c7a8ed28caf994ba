import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// AES-256-GCM, the only cipher of the vault. The purpose is authenticated as additional data, so a ciphertext copied to
// another row or column does not open.

const FORMAT = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** @returns format byte, nonce, ciphertext, tag */
export function seal(key: CipherKey, plaintext: Buffer, purpose: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  return Buffer.concat([Buffer.of(FORMAT), iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** @throws if the ciphertext, the key or the purpose differs in a single bit */
export function open(key: CipherKey, sealed: Buffer, purpose: string): Buffer {
  if (sealed[0] !== FORMAT || sealed.length < 1 + IV_BYTES + TAG_BYTES)
    throw new Error('unknown format of a vault ciphertext')
  const iv = sealed.subarray(1, 1 + IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES, -TAG_BYTES)), decipher.final()])
}
