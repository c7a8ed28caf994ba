import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import wycheproof from '../../test/data/wycheproof/ecdsa.json' with { type: 'json' }
import { invalid, payloadOf, rules, signed } from '../../test/support/google-pay-tokens.ts'
import { keyOfSpki } from './curve.ts'
import { openToken } from './open-token.ts'
import { isSignedBy } from './verify-signatures.ts'

// GPY-3: the signatures of Project Wycheproof, and its kinds of wrong ones derived from a token's correct one.

/** The order of P-256. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const bytesOf = (value: bigint): Buffer => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}
/** Encodes a positive integer without a sign bit. */
const unsigned = (value: bigint): Buffer => {
  const bytes = bytesOf(value)
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
}
const tagged = (tag: number, content: Buffer) => Buffer.concat([Buffer.of(tag, content.length), content])
const integer = (value: bigint) => tagged(2, unsigned(value))
const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts))

function integersOf(der: Buffer): [bigint, bigint] {
  const rLength = der[3] ?? 0
  const at = 4 + rLength
  const read = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
  return [read(der.subarray(4, at)), read(der.subarray(at + 2))]
}

/** Returns wrong forms of a signature, by their error. */
function forms(der: Buffer): Record<string, Buffer> {
  const [r, s] = integersOf(der)
  const content = der.subarray(2)
  const [ofR, ofS] = [integer(r), integer(s)]
  const longer = (part: Buffer) => Buffer.concat([Buffer.of(part[0] ?? 0, 0x81), part.subarray(1)])
  const zeros = (value: bigint) => tagged(2, Buffer.concat([Buffer.of(0), unsigned(value)]))
  return {
    'the length of the sequence in a long form': longer(der),
    'the length of the sequence in two bytes': Buffer.concat([Buffer.of(0x30, 0x82, 0, content.length), content]),
    'a sequence of indefinite length': Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)]),
    'a sequence that is a set': Buffer.concat([Buffer.of(0x31), der.subarray(1)]),
    'a sequence that says it is shorter': Buffer.concat([Buffer.of(0x30, content.length - 1), content]),
    'a sequence that says it is longer': Buffer.concat([Buffer.of(0x30, content.length + 1), content]),
    'the length of r in a long form': sequence(longer(ofR), ofS),
    'the length of s in a long form': sequence(ofR, longer(ofS)),
    'a zero before r': sequence(zeros(r), ofS),
    'a zero before s': sequence(ofR, zeros(s)),
    'a byte after it': Buffer.concat([der, Buffer.of(0)]),
    'a null in it': sequence(ofR, ofS, Buffer.of(5, 0)),
    'a third integer': sequence(ofR, ofS, integer(1n)),
    'no s': sequence(ofR),
    'no integer': sequence(),
    'r and s in the place of each other': sequence(ofS, ofR),
    'r and s without DER': Buffer.concat(
      [r, s].map((value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')),
    ),
    'r is an octet string': sequence(tagged(4, unsigned(r)), ofS),
    'r is empty': sequence(tagged(2, Buffer.alloc(0)), ofS),
    'r and s are 0': sequence(integer(0n), integer(0n)),
    'r is 0': sequence(integer(0n), ofS),
    's is 0': sequence(ofR, integer(0n)),
    'r is 1': sequence(integer(1n), ofS),
    's is the order': sequence(ofR, integer(N)),
    'r is the order': sequence(integer(N), ofS),
    'r is the order, s is 0': sequence(integer(N), integer(0n)),
    'r is larger by the order': sequence(integer(r + N), ofS),
    's is larger by the order': sequence(ofR, integer(s + N)),
    'r is the rest to the order': sequence(integer(N - r), ofS),
    'r is negative': sequence(tagged(2, bytesOf((1n << 264n) - r)), ofS),
    's is negative': sequence(ofR, tagged(2, bytesOf((1n << 264n) - s))),
    'r is larger by 2^256': sequence(integer(r + (1n << 256n)), ofS),
    's is larger by 2^320': sequence(ofR, integer(s + (1n << 320n))),
    'nothing but the number 0': integer(0n),
  }
}

describe('an ECDSA signature', () => {
  test('of wycheproof is right in 147 cases and refused in 240', () => {
    const counts = { valid: 0, refused: 0 }
    for (const { publicKey, tests } of wycheproof.groups) {
      const key = keyOfSpki(Buffer.from(publicKey, 'hex'))
      if (!key) throw new Error(`refused: ${publicKey}`)
      for (const { tcId, what, message, signature, result } of tests) {
        const isRight = isSignedBy(key, Buffer.from(message, 'hex'), Buffer.from(signature, 'hex'))
        equal(isRight, result === 'valid', `${tcId} ${what}`)
        counts[isRight ? 'valid' : 'refused'] += 1
      }
    }
    deepEqual(counts, { valid: 147, refused: 240 })
  })

  const token = JSON.parse(signed(payloadOf()))
  const der = Buffer.from(token.signature, 'base64')
  const open = (signature: Buffer) =>
    openToken(JSON.stringify({ ...token, signature: signature.toString('base64') }), rules)
  const { signedKey, signatures } = token.intermediateSigningKey
  const openKey = (signature: Buffer) => {
    const key = { signedKey, signatures: [signature.toString('base64')] }
    return openToken(JSON.stringify({ ...token, intermediateSigningKey: key }), rules)
  }

  test('is read as DER, and written again it is the same', () => {
    const [r, s] = integersOf(der)
    equal(sequence(integer(r), integer(s)).toString('hex'), der.toString('hex'))
    ok(open(der))
    ok(openKey(Buffer.from(signatures[0], 'base64')))
  })

  for (const name of Object.keys(forms(der))) {
    test(`is refused: ${name}`, () => {
      const ofKey = forms(Buffer.from(signatures[0], 'base64'))[name] ?? Buffer.alloc(0)
      throws(() => openKey(ofKey), invalid('key signature'))
      throws(() => open(forms(der)[name] ?? Buffer.alloc(0)), invalid('message signature'))
    })
  }

  test('is refused: truncated anywhere, and with any bit changed', () => {
    for (let at = 1; at < der.length; at += 1) throws(() => open(der.subarray(0, at)), invalid('message signature'))
    for (let bit = 0; bit < 8 * der.length; bit += 1) {
      const changed = Buffer.from(der)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      throws(() => open(changed), invalid('message signature'), `bit ${bit}`)
    }
  })
})
