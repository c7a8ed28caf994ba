import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { invalidField } from '../lib/errors.ts'

export interface Logo {
  mediaType: string
  bytes: Buffer
  /** SHA-256 of the bytes, in hex. */
  hash: string
}

/** F-100: 64 KiB, which is a large logo and a quick page. */
const BYTES_MAX = 65_536

/** File types are recognized by their first bytes, not by their names. */
const KINDS = [
  { mediaType: 'image/png', begins: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
  { mediaType: 'image/jpeg', begins: Buffer.from('ffd8ff', 'hex') },
]

const SVG = /<svg[\s>]/i

/**
 * Reads a logo file for an operator's command.
 *
 * @throws ApiError `validation_failed`: no such file, too large, neither PNG nor JPEG
 */
export function readLogo(path: string): Logo {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw invalidField('logo', 'must be an existing file')
  if (stats.size > BYTES_MAX) throw invalidField('logo', `must be 64 KiB at most; this file has ${stats.size} bytes`)
  return logoFrom(readFileSync(path))
}

/** @throws ApiError `validation_failed`: too large, neither PNG nor JPEG */
export function logoFrom(bytes: Buffer): Logo {
  if (bytes.length > BYTES_MAX)
    throw invalidField('logo', `must be 64 KiB at most; this file has ${bytes.length} bytes`)
  const kind = KINDS.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins))
  if (!kind && SVG.test(bytes.subarray(0, 1_024).toString('latin1')))
    throw invalidField('logo', 'must be a PNG or JPEG image: an SVG file can contain scripts. Export it as PNG.')
  if (!kind) throw invalidField('logo', 'must be a PNG or JPEG image')
  return { mediaType: kind.mediaType, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}
