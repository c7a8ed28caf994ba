import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { invalidField } from '../lib/errors.ts'
import { isSvg, pngFromSvg } from './svg-logo.ts'

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

/**
 * Reads a logo file for an operator's command.
 *
 * @throws ApiError `validation_failed`: no such file, or not a logo
 */
export async function readLogo(path: string): Promise<Logo> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw invalidField('logo', 'must be an existing file')
  if (stats.size > BYTES_MAX) throw tooLarge(stats.size)
  return logoFrom(readFileSync(path))
}

/**
 * The logo of a PNG or JPEG file as it is, of an SVG as a PNG.
 *
 * @throws ApiError `validation_failed`: too large, none of them, or an SVG that cannot be drawn
 */
export async function logoFrom(bytes: Buffer): Promise<Logo> {
  if (bytes.length > BYTES_MAX) throw tooLarge(bytes.length)
  const kind = kindOf(bytes)
  if (kind) return stored(kind.mediaType, bytes)
  if (!isSvg(bytes)) throw invalidField('logo', 'must be a PNG, JPEG or SVG image')
  return stored('image/png', await pngFromSvg(bytes, BYTES_MAX))
}

const kindOf = (bytes: Buffer) => KINDS.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins))

const stored = (mediaType: string, bytes: Buffer): Logo => ({
  mediaType,
  bytes,
  hash: createHash('sha256').update(bytes).digest('hex'),
})

const tooLarge = (size: number) => invalidField('logo', `must be 64 KiB at most; this file has ${size} bytes`)
