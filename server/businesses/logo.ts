import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { invalidField } from '../lib/errors.ts'
import { type ImageSize, jpegSize, pngSize } from './image-size.ts'

export interface Logo {
  mediaType: string
  bytes: Buffer
  /** SHA-256 of the file's bytes, in hex. */
  hash: string
}

/** Largest file: 64 KiB, which is enough for a large logo and keeps the page quick (F-100). */
const BYTES_MAX = 65_536
/**
 * Largest width and height. A file of a few kilobytes can contain a picture that takes gigabytes in each payer's
 * browser.
 */
const SIDE_MAX = 2_000
const PIXELS_MAX = 1_500_000

/** File types, recognized by their bytes rather than their names. */
const KINDS = [
  { mediaType: 'image/png', sizeOf: pngSize },
  { mediaType: 'image/jpeg', sizeOf: jpegSize },
]

/**
 * Reads a logo file for an operator's command.
 *
 * @throws ApiError `validation_failed` if there is no such file, or it is not a logo
 */
export function readLogo(path: string): Logo {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw invalidField('logo', 'must be an existing file')
  if (stats.size > BYTES_MAX) throw tooLarge(stats.size)
  return logoFrom(readFileSync(path))
}

/**
 * Accepts a PNG or JPEG file unchanged. Only its header is read, so the cost is the same for every file.
 *
 * @throws ApiError `validation_failed` if it is neither, or too large
 * @see PAG-33
 */
export function logoFrom(bytes: Buffer): Logo {
  if (bytes.length > BYTES_MAX) throw tooLarge(bytes.length)
  for (const { mediaType, sizeOf } of KINDS) {
    const size = sizeOf(bytes)
    if (!size) continue
    requireDrawable(size)
    return { mediaType, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
  }
  throw invalidField('logo', 'must be a PNG or JPEG image')
}

function requireDrawable({ width, height }: ImageSize): void {
  if (width === 0 || height === 0) throw invalidField('logo', 'must show something')
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    throw invalidField(
      'logo',
      `must be at most 2,000 pixels wide and high, and 1,500,000 in all; it is ${width} × ${height}`,
    )
}

const tooLarge = (size: number) => invalidField('logo', `must be 64 KiB at most; this file has ${size} bytes`)
