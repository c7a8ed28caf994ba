import { base64, bytesOf, exactly, jsonObject, object, string } from './members.ts'
import { TokenRefused } from './token-refused.ts'

const TOKEN_BYTES_MAX = 8 * 1024
/** Google sends one signature. Each costs a verification with each root key. */
const KEY_SIGNATURES_MAX = 10

/** Token of protocol ECv2. The texts are signed exactly as they are, byte for byte. */
export interface SignedToken {
  /** Signature of `signedMessage` by the key in `signedKey`. */
  signature: Buffer
  /** Signatures of `signedKey`; at least one must be by a root key. */
  keySignatures: Buffer[]
  signedKey: string
  signedMessage: string
}

/**
 * Reads the structure of a token; verifies nothing.
 *
 * @throws TokenRefused
 * @see GPY-2
 */
export function readToken(text: string): SignedToken {
  if (Buffer.byteLength(text) > TOKEN_BYTES_MAX) throw new TokenRefused('size')
  const members = jsonObject(text, 'json')
  if (members.protocolVersion !== 'ECv2') throw new TokenRefused('version')
  const token = exactly(members, ['protocolVersion', 'signature', 'intermediateSigningKey', 'signedMessage'], 'members')
  const key = exactly(object(token.intermediateSigningKey, 'members'), ['signedKey', 'signatures'], 'members')
  const { signatures } = key
  if (!Array.isArray(signatures) || signatures.length === 0 || signatures.length > KEY_SIGNATURES_MAX) {
    throw new TokenRefused('members')
  }
  return {
    signature: base64(token.signature, 'members'),
    // A signature that is not base64 is dropped; another one may be valid (GPY-3).
    keySignatures: signatures.flatMap((signature) => bytesOf(string(signature, 'members')) ?? []),
    signedKey: string(key.signedKey, 'members'),
    signedMessage: string(token.signedMessage, 'members'),
  }
}
