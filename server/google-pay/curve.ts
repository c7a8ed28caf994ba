import { createPublicKey, type KeyObject } from 'node:crypto'

// P-256, the only curve of Google Pay.

const POINT_BYTES = 65
const UNCOMPRESSED = 4
const COORDINATE_BYTES = 32

/** @returns `null` if these are not the 65 bytes of an uncompressed point on the curve */
export function keyOfPoint(point: Buffer): KeyObject | null {
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) return null
  const x = point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url')
  const y = point.subarray(1 + COORDINATE_BYTES).toString('base64url')
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  } catch {
    return null
  }
}

/** Returns the uncompressed point of a public or private key, 65 bytes. */
export function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(UNCOMPRESSED), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** SubjectPublicKeyInfo of a key on P-256 (as a named curve), up to the uncompressed point. */
const SPKI_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')

/** @returns `null` if this is not the SubjectPublicKeyInfo of an uncompressed point on the named curve */
export function keyOfSpki(der: Buffer): KeyObject | null {
  const isNamed = der.subarray(0, SPKI_HEAD.length).equals(SPKI_HEAD)
  return isNamed ? keyOfPoint(der.subarray(SPKI_HEAD.length)) : null
}

export const isOnCurve = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
