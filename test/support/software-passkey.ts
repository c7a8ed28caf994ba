import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Ways in which a test may let a passkey misbehave. */
interface Misbehaviour {
  /** Whether it has verified the person's finger or PIN. */
  verifiesUser?: boolean
  /** Counter, instead of one more than before. */
  counter?: number
  origin?: string
  /** User handle, instead of the registered one. */
  userHandle?: string
}

/** Returns a passkey in this process: an ES256 key that registers, and signs challenges, like a browser. */
export function softwarePasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  let used = 0
  let registeredFor = ''
  const authData = ({ verifiesUser = true, counter = ++used }: Misbehaviour, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (more.length > 0 ? 0x40 : 0)
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, more])
  }
  const clientData = (type: string, challenge: string, { origin: other = origin }: Misbehaviour) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: other, crossOrigin: false }))
  const credential = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    register(options: { challenge: string; user: { id: string } }, how: Misbehaviour = {}) {
      registeredFor = options.user.id
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const cose = Buffer.from(isoCBOR.encode(key as Parameters<typeof isoCBOR.encode>[0]))
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const object = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData(how, attested))],
      ])
      const attestation = isoCBOR.encode(object as Parameters<typeof isoCBOR.encode>[0])
      return credential({
        clientDataJSON: clientData('webauthn.create', options.challenge, how).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal'],
      })
    },
    sign(options: { challenge: string }, how: Misbehaviour = {}) {
      const data = authData(how)
      const client = clientData('webauthn.get', options.challenge, how)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: how.userHandle ?? registeredFor,
      })
    },
  }
}
