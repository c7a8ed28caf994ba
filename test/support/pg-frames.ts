// Messages of PostgreSQL's protocol 3.0: a type and a body. `pg-protocol` parses only messages to a client and drops
// the bytes; a proxy needs both directions and the bytes.

export interface Frame {
  /** One character; empty for the first message of a client, which has no type. */
  type: string
  body: Buffer
}

/** Splits a stream into messages. */
export function frameReader({ startsUntyped }: { startsUntyped: boolean }): (chunk: Buffer) => Frame[] {
  let rest = Buffer.alloc(0)
  let isUntyped = startsUntyped
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    for (;;) {
      const head = isUntyped ? 0 : 1
      if (rest.length < head + 4) return frames
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return frames
      const body = rest.subarray(head + 4, end)
      frames.push({ type: rest.toString('latin1', 0, head), body })
      rest = rest.subarray(end)
      // A request for TLS is followed by the real first message, which has no type either.
      isUntyped = isUntyped && isTlsRequest(body)
    }
  }
}

const TLS_REQUEST = 80_877_103

export const isTlsRequest = (body: Buffer): boolean => body.length === 4 && body.readUInt32BE(0) === TLS_REQUEST

export function frame(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const head = Buffer.alloc(5, type, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export function errorFrame(severity: 'FATAL' | 'ERROR', code: string, message: string): Buffer {
  return frame('E', `S${severity}\0V${severity}\0C${code}\0M${message}\0\0`)
}

/**
 * Reads a string.
 *
 * @returns the text up to the zero byte, and the offset of what follows
 */
export function readText(body: Buffer, from = 0): { text: string; next: number } {
  const end = body.indexOf(0, from)
  return { text: body.toString('utf8', from, end), next: end + 1 }
}

export function readStartParameters(body: Buffer): Map<string, string> {
  const texts = body.subarray(4).toString('utf8').split('\0')
  const pairs: [string, string][] = []
  for (let index = 0; texts[index]; index += 2) pairs.push([texts[index] ?? '', texts[index + 1] ?? ''])
  return new Map(pairs)
}
