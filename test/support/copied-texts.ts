import { inflateSync } from 'node:zlib'

/**
 * Returns the text that a reader copies from each line drawn in other scripts than Inter's, in the order of the file.
 */
export function copiedTexts(pdf: Buffer): string[] {
  const file = pdf.toString('latin1')
  const streams = [...file.matchAll(/stream\n(.*?)\nendstream/gs)].flatMap(({ 1: body = '' }) => inflated(body))
  return streams.flatMap((stream) =>
    [...stream.matchAll(/\/ActualText \(((?:\\.|[^\\)])*)\)/gs)].map(({ 1: text = '' }) => decoded(text)),
  )
}

function inflated(body: string): string[] {
  try {
    return [inflateSync(Buffer.from(body, 'latin1')).toString('latin1')]
  } catch {
    return []
  }
}

const ESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Decodes a string of PDF: UTF-16 if it begins with a byte order mark. */
function decoded(text: string): string {
  const bytes = Buffer.from(
    text.replace(/\\(.)/gs, (_, sign: string) => ESCAPED[sign] ?? sign),
    'latin1',
  )
  return bytes[0] === 0xfe && bytes[1] === 0xff ? bytes.subarray(2).swap16().toString('utf16le') : bytes.toString()
}
