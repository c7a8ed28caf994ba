import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { keyOfPoint, pointOf } from './curve.ts'
import { deriveKeys } from './decrypt-message.ts'
import { TEST_ROOT_PRIVATE_KEY, TEST_ROOT_PUBLIC_KEY } from './published-test-keys.ts'
import { signedKeyBytes, signedMessageBytes } from './signed-bytes.ts'

/** Card data that Google Pay encrypts (`paymentMethodDetails`). */
export interface SimulatedCard {
  authMethod: 'PAN_ONLY' | 'CRYPTOGRAM_3DS'
  pan: string
  expirationMonth: number
  expirationYear: number
  /** Base64 of 20 bytes; only with CRYPTOGRAM_3DS. */
  cryptogram?: string
  /** Two digits; absent for networks that provide none. */
  eciIndicator?: string
  assuranceDetails?: { cardHolderAuthenticated: boolean; accountVerified: boolean }
}

export interface SimulatedToken {
  /** `merchant:<id>` or `gateway:<id>` */
  recipientId: string
  /** Public key of the recipient: an uncompressed point, 65 bytes in base64. */
  publicKey: string
  card: SimulatedCard
  /** Merchant's id at the gateway; only if the recipient is one. */
  gatewayMerchantId?: string | undefined
  /** Random by default. */
  messageId?: string
  expiresAt: Date
}

/** Writes JSON like Google: characters with a meaning in HTML, and `=`, are escaped, and the escaped text is signed. */
export function googleJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[<>&='\u2028\u2029]/g, escaped)
}

const KEY_VALID_MS = 7 * 24 * 60 * 60 * 1_000

/**
 * Creates a `googlePayToken` like Google Pay, signed with the keys that Google publishes for tests. For staging and
 * tests: production trusts only Google's own root keys.
 *
 * @throws if `publicKey` is not a point on the curve
 * @see GPY-8
 */
export function simulateToken({ recipientId, publicKey, card, expiresAt, ...more }: SimulatedToken): string {
  const payload = {
    messageExpiration: String(expiresAt.getTime()),
    messageId: more.messageId ?? `simulated-${randomBytes(24).toString('base64url')}`,
    paymentMethod: 'CARD',
    paymentMethodDetails: card,
    ...(more.gatewayMerchantId !== undefined && { gatewayMerchantId: more.gatewayMerchantId }),
  }
  const signedMessage = encrypt(JSON.stringify(payload), publicKey)
  return signMessage(signedMessage, { recipientId, keyExpiresAt: new Date(expiresAt.getTime() + KEY_VALID_MS) })
}

/** Encrypts any text for a recipient, in the format of `signedMessage`. */
export function encrypt(text: string, publicKey: string): string {
  const recipient = keyOfPoint(Buffer.from(publicKey, 'base64'))
  if (!recipient) throw new Error('the public key of the recipient is not a point on the curve')
  const ephemeral = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const point = pointOf(ephemeral.publicKey)
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient })
  const { encryptionKey, macKey } = deriveKeys(point, secret)
  const cipher = createCipheriv('aes-256-ctr', encryptionKey, Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return googleJson({
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', macKey).update(encrypted).digest('base64'),
  })
}

/** Signs a message, and the key with which it is signed. */
export function signMessage(
  signedMessage: string,
  { recipientId, keyExpiresAt }: { recipientId: string; keyExpiresAt: Date },
): string {
  const key = privateKey()
  const signedKey = googleJson({ keyValue: TEST_ROOT_PUBLIC_KEY, keyExpiration: String(keyExpiresAt.getTime()) })
  return googleJson({
    signature: sign('sha256', signedMessageBytes(recipientId, signedMessage), key).toString('base64'),
    intermediateSigningKey: {
      signedKey,
      signatures: [sign('sha256', signedKeyBytes(signedKey), key).toString('base64')],
    },
    protocolVersion: 'ECv2',
    signedMessage,
  })
}

function privateKey(): KeyObject {
  return createPrivateKey({ key: Buffer.from(TEST_ROOT_PRIVATE_KEY, 'base64'), format: 'der', type: 'pkcs8' })
}
