import { ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  invalid,
  LATER,
  NOW,
  PUBLIC_KEY,
  payloadOf,
  privateKeyOf,
  RECIPIENT,
  refused,
  rules,
  signed,
} from '../../test/support/google-pay-tokens.ts'
import { openToken } from './open-token.ts'
import { encrypt, signMessage } from './simulated-wallet.ts'
import vectors from './vectors.json' with { type: 'json' }

describe('a Google Pay token', () => {
  test('of a protocol other than ECv2 is refused (GPY-2)', () => {
    const token = signed(payloadOf())
    for (const version of ['ECv1', 'ECv2SigningOnly', 'ecv2', 'ECv3', '']) {
      throws(() => openToken(token.replace('"ECv2"', `"${version}"`), rules), invalid('version'))
    }
  })

  test('is strict JSON with exactly its members (GPY-2)', () => {
    const token = signed(payloadOf())
    const members = JSON.parse(token)
    const { signature: _signature, ...missing } = members
    const { intermediateSigningKey: key } = members
    const wrong = [
      '',
      'null',
      '[]',
      '"x"',
      '{',
      `${token} x`,
      `// comment\n${token}`,
      token.replaceAll('"', "'"),
      `\u{feff}${token}`,
      JSON.stringify(missing),
      JSON.stringify({ ...members, more: 1 }),
      token.replace('{"signature"', '{"protocolVersion":"ECv2","signature"'),
      token.replace('{"signature"', '{"signedMessage":"x","signature"'),
      token.replace('{"signedKey"', '{"signedKey":"x","signedKey"'),
      JSON.stringify({ ...members, intermediateSigningKey: { ...key, more: 1 } }),
      JSON.stringify({ ...members, intermediateSigningKey: { ...key, signatures: 'x' } }),
      JSON.stringify({ ...members, intermediateSigningKey: { ...key, signatures: [1] } }),
      JSON.stringify({ ...members, signedMessage: JSON.parse(members.signedMessage) }),
      JSON.stringify({ ...members, signature: `${members.signature}\n` }),
      JSON.stringify({ ...members, signature: '\ud800' }),
      '['.repeat(8_000),
      `{"protocolVersion":"ECv2","signature":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
    ]
    for (const text of wrong) throws(() => openToken(text, rules), invalid(), text.slice(0, 200))
  })

  test('has at most 8 KB, counted in bytes (GPY-2)', () => {
    const token = signed(payloadOf())
    const spaces = (bytes: number) => token + ' '.repeat(bytes - Buffer.byteLength(token))
    ok(openToken(spaces(8 * 1024), rules))
    throws(() => openToken(spaces(8 * 1024 + 1), rules), invalid('size'))
    throws(() => openToken(`"${'é'.repeat(5_000)}"`, rules), invalid('size'))
  })

  test('truncated or altered at any byte is refused, never with another error (GPY-7)', () => {
    const token = signed(payloadOf())
    ok(openToken(token, rules))
    for (let at = 0; at < token.length; at += 1) {
      throws(() => openToken(token.slice(0, at), rules), invalid(), `truncated at ${at}`)
      const other = token[at] === 'A' ? 'B' : 'A'
      throws(() => openToken(token.slice(0, at) + other + token.slice(at + 1), rules), invalid(), `altered at ${at}`)
    }
  })

  test('is signed by a root key, through any of its signatures (GPY-3)', () => {
    const members = JSON.parse(signed(payloadOf()))
    const { intermediateSigningKey: key } = members
    const withSignatures = (signatures: string[]) =>
      JSON.stringify({ ...members, intermediateSigningKey: { ...key, signatures } })
    const [good] = key.signatures
    ok(openToken(withSignatures(['AAAA', members.signature, good]), rules))
    throws(() => openToken(withSignatures([members.signature, 'AAAA']), rules), invalid('key signature'))
    throws(() => openToken(withSignatures([]), rules), invalid('members'))
    // Limited, because each signature costs a verification with each root key.
    throws(() => openToken(withSignatures([...Array(10).fill('AAAA'), good]), rules), invalid('members'))
    throws(() => openToken(withSignatures([good]), { ...rules, rootKeys: [] }), invalid('key signature'))
  })

  test('signed by a key that has expired is refused at that instant (GPY-4)', () => {
    const token = signMessage(encrypt(JSON.stringify(payloadOf()), PUBLIC_KEY), {
      recipientId: RECIPIENT,
      keyExpiresAt: NOW,
    })
    throws(() => openToken(token, rules), invalid('key expiration'))
    ok(openToken(token, { ...rules, now: new Date(NOW.getTime() - 1) }))
  })

  test('that was changed behind its valid signature is refused before it is decrypted (GPY-4)', () => {
    const message = JSON.parse(encrypt(JSON.stringify(payloadOf()), PUBLIC_KEY))
    const sign = (changed: object) =>
      signMessage(JSON.stringify({ ...message, ...changed }), { recipientId: RECIPIENT, keyExpiresAt: LATER })
    ok(openToken(sign({}), rules))
    for (const changed of [
      { encryptedMessage: Buffer.from('{}').toString('base64') },
      { tag: Buffer.alloc(32).toString('base64') },
      { tag: Buffer.alloc(31).toString('base64') },
      { ephemeralPublicKey: PUBLIC_KEY },
    ]) {
      throws(() => openToken(sign(changed), rules), invalid('decryption'))
    }
    for (const changed of [{ tag: 1 }, { more: 1 }, { encryptedMessage: 'not base64!' }, { tag: undefined }]) {
      throws(() => openToken(sign(changed), rules), invalid('signed message'))
    }
  })

  test('is opened by each of several private keys (GPY-10)', () => {
    const other = privateKeyOf(vectors.keys.alternateMerchantPrivatePkcs8)
    const token = signed(payloadOf())
    ok(openToken(token, { ...rules, privateKeys: [other, ...rules.privateKeys] }))
    ok(openToken(token, { ...rules, privateKeys: [...rules.privateKeys, other] }))
    throws(() => openToken(token, { ...rules, privateKeys: [other] }), invalid('decryption'))
    throws(() => openToken(token, { ...rules, privateKeys: [] }), invalid('decryption'))
  })

  test('whose message has expired is refused at that instant, and one without an expiry (GPY-4)', () => {
    const at = (messageExpiration: unknown) => signed(payloadOf({}, { messageExpiration }))
    throws(() => openToken(at(String(NOW.getTime())), rules), refused('google_pay_token_expired'))
    ok(openToken(at(String(NOW.getTime() + 1)), rules))
    for (const value of [undefined, null, '', 'soon', '1e20', '-1', '99999999999999999', ' 1', {}]) {
      throws(() => openToken(at(value), rules), invalid('payload'))
    }
  })
})
