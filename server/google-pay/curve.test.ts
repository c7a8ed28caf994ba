import { equal, throws } from 'node:assert/strict'
import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { describe, test } from 'node:test'
import keys from '../../test/data/wycheproof/ecdh-keys.json' with { type: 'json' }
import points from '../../test/data/wycheproof/ecdh-points.json' with { type: 'json' }
import { invalid } from '../../test/support/google-pay-tokens.ts'
import { keyOfPoint, keyOfSpki, pointOf } from './curve.ts'
import { decryptMessage, deriveKeys } from './decrypt-message.ts'

// GPY-4: a point that is not on the curve would leak the private key bit by bit.

const SPKI_HEAD = '3059301306072a8648ce3d020106082a8648ce3d030107034200'

type PointCase = (typeof points.tests)[number]

/**
 * Returns a private key. @param hex a positive integer; some have a leading zero byte, some have fewer than 32 bytes
 */
function privateKeyOf(hex: string): KeyObject {
  const scalar = Buffer.from(BigInt(`0x${hex}`).toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(scalar)
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString('base64url'))
  const d = scalar.toString('base64url')
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d }, format: 'jwk' })
}

/** Returns the message of a sender with this point, which leads to this shared secret. */
function messageOf({ public: point, shared }: PointCase, text: string): string {
  const { encryptionKey, macKey } = deriveKeys(Buffer.from(point, 'hex'), Buffer.from(shared, 'hex'))
  const cipher = createCipheriv('aes-256-ctr', encryptionKey, Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return JSON.stringify({
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: Buffer.from(point, 'hex').toString('base64'),
    tag: createHmac('sha256', macKey).update(encrypted).digest('base64'),
  })
}

/** Cases with the 65 correct bytes of an uncompressed point. */
const right = points.tests.filter(({ result }) => result === 'valid')
const wrong = points.tests.filter(({ result }) => result !== 'valid')

describe('points of P-256', () => {
  test('wycheproof: the 191 right ones decrypt a message, and no other shared secret does', () => {
    equal(right.length, 191)
    for (const one of right) {
      const privateKeys = [privateKeyOf(one.private)]
      const what = `${one.tcId} ${one.what}`
      equal(decryptMessage(messageOf(one, what), privateKeys), what)
      const other = `${one.shared.slice(0, -1)}${one.shared.endsWith('0') ? '1' : '0'}`
      throws(() => decryptMessage(messageOf({ ...one, shared: other }, what), privateKeys), invalid('decryption'), what)
      const publicKey = keyOfPoint(Buffer.from(one.public, 'hex'))
      if (!publicKey) throw new Error(`refused: ${what}`)
      equal(pointOf(publicKey).toString('hex'), one.public, what)
    }
  })

  test('wycheproof: the 25 off the curve or compressed are refused, also with the secret that another reader gets', () => {
    equal(wrong.length, 25)
    const others = [generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey]
    for (const one of wrong) {
      const what = `${one.tcId} ${one.what}`
      equal(keyOfPoint(Buffer.from(one.public, 'hex')), null, what)
      const privateKeys = one.private ? [privateKeyOf(one.private)] : others
      // An empty text is refused earlier, because it is not base64.
      const step = one.public ? 'decryption' : 'signed message'
      throws(() => decryptMessage(messageOf(one, what), privateKeys), invalid(step), what)
    }
  })

  test('wycheproof: as keys the right ones are accepted, and 253 other forms of keys are not', () => {
    for (const { tcId, private: scalar, public: point, shared } of right) {
      const publicKey = keyOfSpki(Buffer.from(`${SPKI_HEAD}${point}`, 'hex'))
      if (!publicKey) throw new Error(`refused: ${tcId}`)
      equal(diffieHellman({ privateKey: privateKeyOf(scalar), publicKey }).toString('hex'), shared)
    }
    equal(keys.tests.length, 253)
    for (const { tcId, what, public: der } of keys.tests) {
      equal(keyOfSpki(Buffer.from(der, 'hex')), null, `${tcId} ${what}`)
    }
  })

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
