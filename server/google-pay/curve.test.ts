import { equal } from 'node:assert/strict'
import { createECDH, createPrivateKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { keyOfPoint, keyOfSpki, pointOf } from './curve.ts'
import vectors from './ecdh-vectors.json' with { type: 'json' }

// GPY-4: a point that is not on the curve would give away the private key, bit by bit.

function privateKeyOf(hex: string) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(hex, 'hex')
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString('base64url'))
  const d = Buffer.from(hex, 'hex').toString('base64url')
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d }, format: 'jwk' })
}

describe('points of P-256', () => {
  for (const { tcId, public: point, private: scalar, shared } of vectors.valid) {
    test(`wycheproof ${tcId} gives the shared secret`, () => {
      const publicKey = keyOfPoint(Buffer.from(point, 'hex'))
      if (!publicKey) throw new Error('the point is refused')
      equal(diffieHellman({ privateKey: privateKeyOf(scalar), publicKey }).toString('hex'), shared)
      equal(pointOf(publicKey).toString('hex'), point)
    })
  }

  for (const { tcId, public: point } of vectors.refused) {
    test(`wycheproof ${tcId} is refused`, () => {
      equal(keyOfPoint(Buffer.from(point, 'hex')), null)
    })
  }

  test('in another form, of another length, and with any bit changed are refused', () => {
    const point = pointOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey)
    const hybrid = Buffer.concat([Buffer.of(6 + ((point[64] ?? 0) % 2)), point.subarray(1)])
    const others = [
      hybrid,
      Buffer.of(0),
      point.subarray(1),
      point.subarray(0, 64),
      Buffer.concat([point, Buffer.of(0)]),
    ]
    for (const other of others) equal(keyOfPoint(other), null)
    for (let bit = 0; bit < 8 * point.length; bit += 1) {
      const changed = Buffer.from(point)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      equal(keyOfPoint(changed), null, `bit ${bit}`)
    }
  })

  test('of another curve are refused as a key', () => {
    for (const namedCurve of ['secp256k1', 'secp384r1', 'secp224r1']) {
      const der = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'der', type: 'spki' })
      equal(keyOfSpki(der), null)
    }
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'der', type: 'spki' })
    equal(keyOfSpki(rsa), null)
  })

  test('with the curve written out instead of named are refused as a key', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1', paramEncoding: 'explicit' })
    equal(keyOfSpki(publicKey.export({ format: 'der', type: 'spki' })), null)
  })
})
