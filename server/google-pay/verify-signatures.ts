import { type KeyObject, verify } from 'node:crypto'
import { keyOfSpki } from './curve.ts'
import { base64, instant, jsonObject } from './members.ts'
import type { SignedToken } from './read-token.ts'
import { signedKeyBytes, signedMessageBytes } from './signed-bytes.ts'
import { TokenRefused } from './token-refused.ts'

/**
 * Verifies the signatures from a root key down to the message: they prove that Google created the token, for this
 * recipient.
 *
 * @param rootKeys current keys of ECv2
 * @throws TokenRefused
 * @see GPY-3, GPY-4
 */
export function verifySignatures(
  { signature, keySignatures, signedKey, signedMessage }: SignedToken,
  { rootKeys, recipientId, now }: { rootKeys: readonly KeyObject[]; recipientId: string; now: Date },
): void {
  const keyBytes = signedKeyBytes(signedKey)
  const isSigned = rootKeys.some((root) => keySignatures.some((one) => isSignedBy(root, keyBytes, one)))
  if (!isSigned) throw new TokenRefused('key signature')
  const { keyValue, keyExpiration } = jsonObject(signedKey, 'key signature')
  if (instant(keyExpiration, 'key expiration') <= now) throw new TokenRefused('key expiration')
  const key = keyOfSpki(base64(keyValue, 'key signature'))
  if (!key || !isSignedBy(key, signedMessageBytes(recipientId, signedMessage), signature)) {
    throw new TokenRefused('message signature')
  }
}

/** Verifies ECDSA with SHA-256; the signature is in DER. */
export const isSignedBy = (key: KeyObject, bytes: Buffer, signature: Buffer): boolean =>
  verify('sha256', bytes, key, signature)
