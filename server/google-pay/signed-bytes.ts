// What the sender signs: each text with its length before it.

const SENDER = 'Google'
const PROTOCOL = 'ECv2'
const LENGTH_BYTES = 4

/** What a root key signs. */
export const signedKeyBytes = (signedKey: string): Buffer => withLengths(SENDER, PROTOCOL, signedKey)

/** What the key in `signedKey` signs. */
export const signedMessageBytes = (recipientId: string, signedMessage: string): Buffer =>
  withLengths(SENDER, recipientId, PROTOCOL, signedMessage)

/** Lengths count bytes, not characters; four bytes, the lowest first. */
function withLengths(...texts: string[]): Buffer {
  const parts = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts)
}
