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
import { keyOfPoint, keyOfSpki } from './curve.ts'
import { decipher, deriveKeys, hasTag } from './decrypt-message.ts'
import { openToken } from './open-token.ts'
import { readToken } from './read-token.ts'
import { simulateToken } from './simulated-wallet.ts'
import type { RefusalReason } from './token-refused.ts'
import vectors from './vectors.json' with { type: 'json' }

type Vector = (typeof vectors.positive)[number]

function openVector({ token, rootKeys, privateKeys, recipientId, now }: Omit<Vector, 'plaintext'>): Card {
  return openToken(token, {
    ...rules,
    rootKeys: rootKeys.flatMap(({ keyValue }) => keyOfSpki(Buffer.from(keyValue, 'base64')) ?? []),
    privateKeys: privateKeys.map(privateKeyOf),
    recipientId,
    now: new Date(now),
    businessTime: new Date(now),
  })
}

describe('vectors of Google Pay', () => {
  for (const vector of vectors.positive) {
    test(`${vector.id} is accepted (GPY-4)`, () => {
      const card = openVector(vector)
      const { paymentMethodDetails: details, messageId } = JSON.parse(vector.plaintext)
      equal(card.number.reveal(), details.pan)
      deepEqual([card.expMonth, card.expYear], [details.expirationMonth, details.expirationYear])
      equal(card.wallet?.messageId, messageId)
      equal(card.wallet?.proof?.cryptogram.reveal(), details.cryptogram)
      equal(card.wallet?.proof?.eci ?? undefined, details.eciIndicator)
      deepEqual([card.cvv, card.save, card.stored], [null, false, null])
    })
  }

  const EXPECTED: Record<string, RefusalReason> = { 'message-expired': 'google_pay_token_expired' }
  for (const vector of vectors.negative) {
    test(`${vector.id} is refused (GPY-7)`, () => {
      throws(() => openVector(vector), refused(EXPECTED[vector.id] ?? 'google_pay_token_invalid'))
    })
  }

  for (const vector of vectors.serverRules) {
    test(`${vector.id} is refused (GPY-6)`, () => {
      throws(() => openVector(vector), refused(vector.code as RefusalReason))
    })
  }

  test('the steps: key derivation, decryption, MAC, and signed bytes as they are written', () => {
    const steps = new Map(vectors.steps.map((step) => [step.id, step]))
    const kdf = steps.get('kdf-ecv1')
    const point = Buffer.from(kdf?.ephemeralPublicKey ?? '', 'base64')
    const publicKey = keyOfPoint(point)
    ok(publicKey)
    const secret = diffieHellman({ privateKey: privateKeyOf(kdf?.privateKey ?? ''), publicKey })
    // ECv1 takes the first 32 of the same bytes.
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
    ok(steps.has('signed-key-serialisation'))
    const token = simulateToken({ recipientId: RECIPIENT, publicKey: PUBLIC_KEY, card: CARD, expiresAt: LATER })
    const escaped = token.replaceAll('=', '\\u003d')
    deepEqual(readToken(escaped), readToken(token))
    ok(openToken(escaped, rules))
  })
})
