import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Environment } from '../access/shared/context.ts'
import type { Keyring } from '../lib/keyring.ts'
import { openText, sealText } from '../lib/sealed-text.ts'
import { isOnCurve, pointOf } from './curve.ts'

/** Two, so that tokens for the old key can be opened until it is retired. */
export const ACTIVE_KEYS_MAX = 2

const PURPOSE = 'seal wallet keys'

/** Key for which tokens are encrypted. Its private part is opened only to open a token. */
export interface RecipientKey {
  id: string
  /** `null` means Rialto itself, as a gateway. */
  businessId: string | null
  environment: Environment
  /** Uncompressed point in base64, the format for Google. */
  publicKey: string
  createdAt: Date
  /** Time from which the key opens no more tokens; `null` while it is active. */
  retiredAt: Date | null
}

export interface SealedKey extends RecipientKey {
  sealedPrivateKey: Buffer
}

export interface KeyPair {
  publicKey: string
  privateKey: KeyObject
}

export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return { privateKey, publicKey: pointOf(publicKey).toString('base64') }
}

/** @returns the pair of a private key in PEM; `null` if it is not on P-256, or has a passphrase */
export function readKeyPair(pem: string): KeyPair | null {
  try {
    const privateKey = createPrivateKey(pem)
    return isOnCurve(privateKey) ? { privateKey, publicKey: pointOf(privateKey).toString('base64') } : null
  } catch {
    return null
  }
}

/** Seals a private key with its id, so that it cannot be opened in another row. */
export function sealPrivateKey(keyring: Keyring, id: string, privateKey: KeyObject): Buffer {
  const key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return sealText(keyring, PURPOSE, rowOf(id), key)
}

/** @throws if the key was sealed for another row, or modified */
export function openPrivateKey(keyring: Keyring, { id, sealedPrivateKey }: Pick<SealedKey, 'id' | 'sealedPrivateKey'>) {
  const key = Buffer.from(openText(keyring, PURPOSE, rowOf(id), sealedPrivateKey), 'base64')
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const rowOf = (id: string) => `google_pay_key ${id}`

/** Returns the public data of a key for the audit log and the dashboard. */
export const recipientKeyView = ({ id, publicKey, createdAt, retiredAt }: RecipientKey) => ({
  id,
  public_key: publicKey,
  created_at: createdAt.toISOString(),
  retired_at: retiredAt?.toISOString() ?? null,
})
