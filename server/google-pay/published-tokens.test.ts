import { equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  invalid,
  PUBLIC_KEY,
  payloadOf,
  privateKeyOf,
  RECIPIENT,
  rules,
  signed,
} from '../../test/support/google-pay-tokens.ts'
import { keyOfSpki } from './curve.ts'
import { decryptMessage } from './decrypt-message.ts'
import { openToken, type TokenRules } from './open-token.ts'
import published from './published-tokens.json' with { type: 'json' }
import { readToken } from './read-token.ts'
import { encrypt, signMessage } from './simulated-wallet.ts'
import type { TokenStep } from './token-refused.ts'
import vectors from './vectors.json' with { type: 'json' }
import { verifySignatures } from './verify-signatures.ts'

// Tokens that others have published, and the test cases of Tink (tink-java-apps, PaymentMethodTokenRecipientTest),
// which creates its ECv2 tokens at run time.

type Vector = (typeof published.vectors)[number]
type Expected = { text?: string; signed?: boolean; pan?: string; refused?: TokenStep }

const keyFrom = (spki: string) => [keyOfSpki(Buffer.from(spki, 'base64'))].flatMap((key) => key ?? [])

const rulesOf = ({ rootKey, recipientId, now }: Vector): TokenRules => ({
  ...rules,
  rootKeys: keyFrom(rootKey),
  recipientId,
  // The tokens are encrypted for the second key.
  privateKeys: [vectors.keys.alternateMerchantPrivatePkcs8, vectors.keys.merchantPrivatePkcs8].map(privateKeyOf),
  now: new Date(now),
  businessTime: new Date(now),
})

describe('published tokens of Google Pay', () => {
  for (const vector of published.vectors) {
    test(`${vector.id} (GPY-3, GPY-4)`, () => {
      const [text, given] = [JSON.stringify(vector.token), rulesOf(vector)]
      const { text: message, signed: isSigned, pan, refused: step } = vector.expect as Expected
      if (step) return throws(() => openToken(text, given), invalid(step))
      const token = readToken(text)
      verifySignatures(token, given)
      if (message) equal(decryptMessage(token.signedMessage, given.privateKeys), message)
      if (pan) equal(openToken(text, given).number.reveal(), pan)
      ok(message ?? isSigned ?? pan)
    })
  }
})

describe('the cases of Tink for ECv2', () => {
  const sealed = () => JSON.parse(signed(payloadOf()))
  const open = (token: object, more: Partial<TokenRules> = {}) =>
    openToken(JSON.stringify(token), { ...rules, ...more })
  const inverted = (signature: string) => {
    const bytes = Buffer.from(signature, 'base64')
    bytes[0] = ~(bytes[0] ?? 0) & 0xff
    return bytes.toString('base64')
  }
  const other = keyFrom(vectors.keys.unrelatedSigningPublic)

  test('all root keys, all key signatures and all private keys are tried', () => {
    const token = sealed()
    const { signedKey, signatures } = token.intermediateSigningKey
    const twice = { signedKey, signatures: [inverted(signatures[0]), signatures[0]] }
    ok(open(token, { rootKeys: [...other, ...rules.rootKeys] }))
    ok(open({ ...token, intermediateSigningKey: twice }))
    const keys = [vectors.keys.alternateMerchantPrivatePkcs8, vectors.keys.merchantPrivatePkcs8].map(privateKeyOf)
    ok(open(token, { privateKeys: keys }))
  })

  const changed: Record<string, (token: ReturnType<typeof sealed>) => object> = {
    'the signed message has one space more': (token) => ({ ...token, signedMessage: `${token.signedMessage} ` }),
    'the signed key has one space more': ({ intermediateSigningKey: key, ...token }) => ({
      ...token,
      intermediateSigningKey: { ...key, signedKey: `${key.signedKey} ` },
    }),
    'the only key signature is wrong': ({ intermediateSigningKey: key, ...token }) => ({
      ...token,
      intermediateSigningKey: { ...key, signatures: [inverted(key.signatures[0])] },
    }),
    'the version is a number': (token) => ({ ...token, protocolVersion: 1 }),
    'the version is a fraction': (token) => ({ ...token, protocolVersion: 1.1 }),
    'the version is ECv2SigningOnly': (token) => ({ ...token, protocolVersion: 'ECv2SigningOnly' }),
  }
  for (const [what, change] of Object.entries(changed)) {
    test(`refused: ${what}`, () => {
      const token = sealed()
      ok(open(token))
      throws(() => open(change(token)), invalid())
    })
  }

  test('of ten key signatures one suffices, wherever it is; an eleventh is too many', () => {
    const token = sealed()
    const { signedKey, signatures } = token.intermediateSigningKey
    const [right] = signatures
    const others = Array.from({ length: 9 }, (_, index) => (index % 2 ? 'not base64' : inverted(right)))
    const openWith = (all: unknown[]) => open({ ...token, intermediateSigningKey: { signedKey, signatures: all } })
    for (let at = 0; at <= others.length; at += 1) ok(openWith(others.toSpliced(at, 0, right)))
    throws(() => openWith(others), invalid('key signature'))
    throws(() => openWith([...others, right, right]), invalid('members'))
    throws(() => openWith([right, 5]), invalid('members'))
  })

  test('the key that signs the message is current: until its last millisecond, and for years if it says so', () => {
    const openAt = (now: Date) => open(sealed(), { now })
    const { keyExpiration } = JSON.parse(sealed().intermediateSigningKey.signedKey)
    const end = Number(keyExpiration)
    // The message of `sealed` expires at the same time as its key.
    ok(openAt(new Date(end - 1)))
    throws(() => openAt(new Date(end)), invalid('key expiration'))
    const signedUntil = (keyExpiresAt: Date) => {
      const [message, recipientId] = [encrypt(JSON.stringify(payloadOf()), PUBLIC_KEY), RECIPIENT]
      return signMessage(message, { recipientId, keyExpiresAt })
    }
    ok(openToken(signedUntil(new Date('2099-01-01')), rules))
    throws(() => openToken(signedUntil(new Date(0)), rules), invalid('key expiration'))
  })

  const shapes: Record<string, [token: (text: string) => string, step: TokenStep]> = {
    'a token that was serialised twice': [(text) => JSON.stringify(text), 'json'],
    'a token in base64': [(text) => Buffer.from(text).toString('base64'), 'json'],
    'a token in a list': [(text) => `[${text}]`, 'json'],
    'two tokens': [(text) => text + text, 'json'],
    'a token of ECv1, without a key between': [
      (text) => {
        const { intermediateSigningKey: _, ...token } = JSON.parse(text)
        return JSON.stringify({ ...token, protocolVersion: 'ECv1' })
      },
      'version',
    ],
    'what surrounds the token in the response of Google Pay': [
      (token) => JSON.stringify({ type: 'PAYMENT_GATEWAY', token }),
      'version',
    ],
  }
  for (const [what, [shape, step]] of Object.entries(shapes)) {
    test(`refused: ${what}`, () => throws(() => openToken(shape(signed(payloadOf())), rules), invalid(step)))
  }

  test('refused: another root key, another recipient, another private key', () => {
    throws(() => open(sealed(), { rootKeys: other }), invalid('key signature'))
    throws(() => open(sealed(), { recipientId: `not-${RECIPIENT}` }), invalid('message signature'))
    const alternate = [privateKeyOf(vectors.keys.alternateMerchantPrivatePkcs8)]
    throws(() => open(sealed(), { privateKeys: alternate }), invalid('decryption'))
  })
})
