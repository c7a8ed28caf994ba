// Bytes that the sender signs: each text, preceded by its length.

const SENDER = 'Google'
const PROTOCOL = 'ECv2'
const LENGTH_BYTES = 4

/** Returns the bytes that a root key signs. */
export const signedKeyBytes = (signedKey: string): Buffer => withLengths(SENDER, PROTOCOL, signedKey)

/** Returns the bytes that the key in `signedKey` signs. */
export const signedMessageBytes = (recipientId: string, signedMessage: string): Buffer =>
  withLengths(SENDER, recipientId, PROTOCOL, signedMessage)

/** Joins texts with their lengths in bytes, not characters, as four bytes, lowest first. */
function withLengths(...texts: string[]): Buffer {
  const parts = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts)
}
