import { equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invalid, payloadOf, privateKeyOf, RECIPIENT, rules, signed } from '../../test/support/google-pay-tokens.ts'
import { keyOfSpki } from './curve.ts'
import { decryptMessage } from './decrypt-message.ts'
import { openToken, type TokenRules } from './open-token.ts'
import published from './published-tokens.json' with { type: 'json' }
import { readToken } from './read-token.ts'
import type { TokenStep } from './token-refused.ts'
import vectors from './vectors.json' with { type: 'json' }
import { verifySignatures } from './verify-signatures.ts'

// Tokens that others have published, and the cases of the tests of Tink (tink-java-apps, PaymentMethodTokenRecipientTest), which
// makes its ECv2 tokens at run time.

type Vector = (typeof published.vectors)[number]
type Expected = { text?: string; signed?: boolean; pan?: string; refused?: TokenStep }

const keyFrom = (spki: string) => [keyOfSpki(Buffer.from(spki, 'base64'))].flatMap((key) => key ?? [])

const rulesOf = ({ rootKey, recipientId, now }: Vector): TokenRules => ({
  ...rules,
  rootKeys: keyFrom(rootKey),
  recipientId,
  // The tokens are for the second.
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

  test('refused: another root key, another recipient, another private key', () => {
    throws(() => open(sealed(), { rootKeys: other }), invalid('key signature'))
    throws(() => open(sealed(), { recipientId: `not-${RECIPIENT}` }), invalid('message signature'))
    const alternate = [privateKeyOf(vectors.keys.alternateMerchantPrivatePkcs8)]
    throws(() => open(sealed(), { privateKeys: alternate }), invalid('decryption'))
  })
})
