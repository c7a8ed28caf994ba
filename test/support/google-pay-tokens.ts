import { createPrivateKey, type KeyObject } from 'node:crypto'
import { keyOfSpki } from '../../server/google-pay/curve.ts'
import type { TokenRules } from '../../server/google-pay/open-token.ts'
import { encrypt, signMessage } from '../../server/google-pay/simulated-wallet.ts'
import { type RefusalReason, TokenRefused } from '../../server/google-pay/token-refused.ts'
import vectors from '../../server/google-pay/vectors.json' with { type: 'json' }

// Tokens and rules with the published test keys, for tests of only the verification.

export const RECIPIENT = 'merchant:12345678901234567890'
export const PUBLIC_KEY = vectors.keys.merchantPublicRaw
export const NOW = new Date(1_795_000_000_000)
export const LATER = new Date(NOW.getTime() + 3_600_000)
export const CARD = {
  authMethod: 'PAN_ONLY',
  pan: '4111111111111111',
  expirationMonth: 12,
  expirationYear: 2031,
} as const

export const privateKeyOf = (pkcs8: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })

export const rules: TokenRules = {
  rootKeys: [keyOfSpki(Buffer.from(vectors.keys.rootEcv2Public, 'base64'))].flatMap((key) => key ?? []),
  recipientId: RECIPIENT,
  privateKeys: [privateKeyOf(vectors.keys.merchantPrivatePkcs8)],
  now: NOW,
  businessTime: NOW,
  gatewayMerchantId: null,
  cryptogramOnly: false,
  bins: { fundingOf: () => 'credit' },
}

/** @param text encrypted instead of the payload */
export const signed = (payload: unknown, { text = JSON.stringify(payload), publicKey = PUBLIC_KEY } = {}): string =>
  signMessage(encrypt(text, publicKey), { recipientId: RECIPIENT, keyExpiresAt: LATER })

export const payloadOf = (details: object = {}, more: object = {}) => ({
  messageExpiration: String(LATER.getTime()),
  messageId: 'one',
  paymentMethod: 'CARD',
  paymentMethodDetails: { ...CARD, ...details },
  ...more,
})

/** For `throws`: matches a refusal, and no other error. */
export const refused =
  (reason: RefusalReason, step?: string) =>
  (error: unknown): boolean =>
    error instanceof TokenRefused && error.reason === reason && (step === undefined || error.step === step)

export const invalid = (step?: string) => refused('google_pay_token_invalid', step)
