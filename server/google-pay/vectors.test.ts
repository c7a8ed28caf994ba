import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { diffieHellman } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  CARD,
  LATER,
  PUBLIC_KEY,
  privateKeyOf,
  RECIPIENT,
  refused,
  rules,
} from '../../test/support/google-pay-tokens.ts'
import type { Card } from '../vault/card.ts'
import { keyOfPoint, keyOfSpki, pointOf } from './curve.ts'
import { decipher, decryptMessage, deriveKeys, hasTag } from './decrypt-message.ts'
import { jsonObject } from './members.ts'
import { openToken, type TokenRules } from './open-token.ts'
import { TEST_ROOT_PRIVATE_KEY, TEST_ROOT_PUBLIC_KEY } from './published-test-keys.ts'
import published from './published-tokens.json' with { type: 'json' }
import { readToken } from './read-token.ts'
import { signedKeyBytes } from './signed-bytes.ts'
import { googleJson, simulateToken } from './simulated-wallet.ts'
import { type RefusalReason, type TokenRefused, type TokenStep, tokenRefusal } from './token-refused.ts'
import vectors from './vectors.json' with { type: 'json' }

type Vector = (typeof vectors.positive)[number]
type Opened = Omit<Vector, 'plaintext' | 'source'>

const rulesOf = ({ rootKeys, privateKeys, recipientId, now }: Opened): TokenRules => ({
  ...rules,
  rootKeys: rootKeys.flatMap(({ keyValue }) => keyOfSpki(Buffer.from(keyValue, 'base64')) ?? []),
  privateKeys: privateKeys.map(privateKeyOf),
  recipientId,
  now: new Date(now),
  businessTime: new Date(now),
})

const openVector = (vector: Opened): Card => openToken(vector.token, rulesOf(vector))

/** Checks that the vectors' own statements match what is read. */
function assertFacts({ token, senderId, protocolVersion, rootKeys, now }: Opened, isDowngraded = false): void {
  equal(senderId, 'Google')
  equal(JSON.parse(token).protocolVersion, isDowngraded ? 'ECv1' : protocolVersion)
  for (const key of rootKeys) {
    equal(key.protocolVersion, 'ECv2')
    ok(new Date(Number(key.keyExpiration)) > new Date(now))
  }
}

describe('vectors of Google Pay', () => {
  for (const vector of vectors.positive) {
    test(`${vector.id} is accepted (GPY-4)`, () => {
      assertFacts(vector)
      const { signedMessage } = readToken(vector.token)
      equal(decryptMessage(signedMessage, vector.privateKeys.map(privateKeyOf)), vector.plaintext)
      const card = openVector(vector)
      const { paymentMethodDetails: details, messageId, messageExpiration } = JSON.parse(vector.plaintext)
      equal(card.number.reveal(), details.pan)
      deepEqual([card.expMonth, card.expYear], [details.expirationMonth, details.expirationYear])
      equal(card.wallet?.messageId, messageId)
      equal(card.wallet?.expiresAt.getTime(), Number(messageExpiration))
      equal(card.wallet?.proof?.cryptogram.reveal(), details.cryptogram)
      equal(card.wallet?.proof?.eci ?? undefined, details.eciIndicator)
      deepEqual([card.cvv, card.save, card.stored], [null, false, null])
    })
  }

  test('own-ecv2-gateway-recipient is for its business alone (GPY-9)', () => {
    const vector = vectors.positive.find(({ id }) => id === 'own-ecv2-gateway-recipient')
    ok(vector)
    const { gatewayMerchantId } = JSON.parse(vector.plaintext)
    ok(openToken(vector.token, { ...rulesOf(vector), gatewayMerchantId }))
    const open = () => openToken(vector.token, { ...rulesOf(vector), gatewayMerchantId: `${gatewayMerchantId}0` })
    throws(open, refused('google_pay_token_invalid', 'gateway merchant'))
  })

  /** Steps by Tink's message; a signature is that of the key or of the message. */
  const STEPS: Record<string, readonly TokenStep[]> = {
    'expired payload': ['message expiration'],
    'cannot decrypt; invalid MAC': ['decryption'],
    'cannot decrypt': ['decryption'],
    'cannot verify signature': ['key signature', 'message signature', 'members'],
    'invalid version: ECv1': ['version'],
    'bad fields': ['members'],
  }
  for (const vector of vectors.negative) {
    test(`${vector.id} is refused: ${vector.why} (GPY-7)`, () => {
      assertFacts(vector, vector.id === 'version-downgrade')
      const reason = vector.id === 'message-expired' ? 'google_pay_token_expired' : 'google_pay_token_invalid'
      throws(() => openVector(vector), refused(reason))
      throws(
        () => openVector(vector),
        ({ step }: TokenRefused) => STEPS[vector.expect]?.includes(step) ?? false,
      )
    })
  }

  for (const vector of vectors.serverRules) {
    test(`${vector.id} is refused: ${vector.why} (GPY-6)`, () => {
      assertFacts(vector)
      const { signedMessage } = readToken(vector.token)
      equal(decryptMessage(signedMessage, vector.privateKeys.map(privateKeyOf)), vector.plaintext)
      throws(() => openVector(vector), refused(vector.code as RefusalReason))
      equal(tokenRefusal(vector.code as RefusalReason).status, vector.http)
    })
  }

  test('the keys: each private one belongs to the public one of its name', () => {
    const { keys } = vectors
    const spki = (key: string) => keyOfSpki(Buffer.from(key, 'base64'))
    equal(pointOf(privateKeyOf(keys.merchantPrivatePkcs8)).toString('base64'), keys.merchantPublicRaw)
    const pairs = [
      [keys.rootEcv1Public, keys.rootEcv1Private],
      [keys.rootEcv2Public, keys.rootEcv2Private],
      [keys.intermediateEcv2Public, keys.intermediateEcv2Private],
      [keys.rootEcv2SigningOnlyPublic, keys.rootEcv2SigningOnlyPrivate],
      [keys.intermediateEcv2SigningOnlyPublic, keys.intermediateEcv2SigningOnlyPrivate],
    ] as const
    for (const [shown, secret] of pairs) {
      const key = spki(shown)
      ok(key)
      deepEqual(pointOf(key), pointOf(privateKeyOf(secret)))
    }
    ok(spki(keys.unrelatedSigningPublic))
    deepEqual([TEST_ROOT_PUBLIC_KEY, TEST_ROOT_PRIVATE_KEY], [keys.rootEcv2Public, keys.rootEcv2Private])
  })

  test('the steps: key derivation, decryption, MAC, and signed bytes as they are written', () => {
    const steps = new Map(vectors.steps.map((step) => [step.id, step]))
    const kdf = steps.get('kdf-ecv1')
    const point = Buffer.from(kdf?.ephemeralPublicKey ?? '', 'base64')
    const publicKey = keyOfPoint(point)
    ok(publicKey)
    const secret = diffieHellman({ privateKey: privateKeyOf(kdf?.privateKey ?? ''), publicKey })
    // ECv1 uses the first 32 of the same bytes.
    equal(
      deriveKeys(point, secret).encryptionKey.toString('hex'),
      `${kdf?.encryptionKeyHex}${kdf?.macKeyHex}`.toLowerCase(),
    )
    const aes = steps.get('aes-ctr')
    const key = Buffer.from(aes?.encryptionKeyHex ?? '', 'hex')
    equal(decipher(key, Buffer.from(aes?.encryptedMessage ?? '', 'base64')).toString(), aes?.plaintext)
    const mac = steps.get('hmac')
    const encrypted = Buffer.from(mac?.encryptedMessage ?? '', 'base64')
    const macKey = Buffer.from(mac?.macKeyHex ?? '', 'hex')
    ok(hasTag(macKey, encrypted, Buffer.from(mac?.tag ?? '', 'base64')))
    ok(!hasTag(macKey, Buffer.of(0), Buffer.from(mac?.tag ?? '', 'base64')))
  })

  test('signed-key-serialisation: texts are written as Google writes them, byte for byte, and read as they are', () => {
    ok(vectors.steps.some(({ id }) => id === 'signed-key-serialisation'))
    for (const { id, value, text } of published.serialisations) {
      equal(googleJson(value), text, id)
      deepEqual(jsonObject(text, 'json'), value, id)
    }
    const textOf = (id: string) => published.serialisations.find((one) => one.id === id)?.text ?? ''
    const [key, message] = [textOf('signed key'), textOf('encrypted message')]
    // The length of a signed text counts six bytes for each escaped character.
    const length = Buffer.of(key.length & 0xff, key.length >> 8, 0, 0)
    const head = Buffer.from('\u0006\0\0\0Google\u0004\0\0\0ECv2')
    deepEqual(signedKeyBytes(key), Buffer.concat([head, length, Buffer.from(key)]))
    const { intermediateSigningKey, ...token } = JSON.parse(textOf('token'))
    const read = readToken(JSON.stringify({ ...token, protocolVersion: 'ECv2', intermediateSigningKey }))
    deepEqual([read.signedMessage, read.signedKey], [message, intermediateSigningKey.signedKey])
    equal(read.signature.toString(), 'the signature')
    throws(() => readToken(textOf('token')), refused('google_pay_token_invalid', 'version'))
  })

  test('a token with = and the same with \\u003d around what is signed are alike; within it they are not', () => {
    const token = paddedToken()
    const plain = JSON.stringify(JSON.parse(token))
    ok(token !== plain)
    deepEqual(readToken(plain), readToken(token))
    ok(openToken(plain, rules))
    const { signedMessage, ...others } = JSON.parse(token)
    const rewritten = JSON.stringify({ ...others, signedMessage: JSON.stringify(JSON.parse(signedMessage)) })
    throws(() => openToken(rewritten, rules), refused('google_pay_token_invalid', 'message signature'))
  })
})

/**
 * Returns a token with `=` outside the signed texts: one token in sixteen has none, because both signatures have 72
 * bytes.
 */
function paddedToken(): string {
  for (;;) {
    const token = simulateToken({ recipientId: RECIPIENT, publicKey: PUBLIC_KEY, card: CARD, expiresAt: LATER })
    if (JSON.stringify(JSON.parse(token)).includes('=')) return token
  }
}
