import { inflateSync } from 'node:zlib'
import type { Logo } from '../businesses/logo.ts'

/** Number of channels by color type of a PNG. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const PIXELS_MAX = 4_000_000
const FILTER_MAX = 4

/**
 * Whether the picture can be printed. pdfkit decodes a PNG in a separate callback, and an error there would end the
 * process. A JPEG is embedded unchanged.
 */
export function isPrintable({ mediaType, bytes }: Pick<Logo, 'mediaType' | 'bytes'>): boolean {
  if (mediaType !== 'image/png') return mediaType === 'image/jpeg'
  try {
    return isSoundPng(bytes)
  } catch {
    return false
  }
}

function isSoundPng(bytes: Buffer): boolean {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth = 0, color = 0, , , interlace] = bytes.subarray(24, 29)
  const channels = CHANNELS[color]
  if (!channels || interlace !== 0 || width * height === 0 || width * height > PIXELS_MAX) return false
  const rowBytes = 1 + Math.ceil((width * channels * depth) / 8)
  const pixels = inflateSync(Buffer.concat(chunksOf(bytes, 'IDAT')), { maxOutputLength: rowBytes * height })
  if (pixels.length !== rowBytes * height) return false
  for (let row = 0; row < height; row++) if ((pixels[row * rowBytes] ?? 0) > FILTER_MAX) return false
  return true
}

function chunksOf(bytes: Buffer, wanted: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === wanted) found.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return found
}
