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

/** How files of a kind begin, whatever they are called. */
const KINDS = [
  { mediaType: 'image/png', begins: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
  { mediaType: 'image/jpeg', begins: Buffer.from('ffd8ff', 'hex') },
]

/**
 * Reads a logo that the operator names.
 *
 * @throws ApiError `validation_failed`: no such file, too large, neither PNG nor JPEG
 */
export function readLogo(path: string): Logo {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw invalidField('logo', 'must be a file that exists')
  if (stats.size > BYTES_MAX) throw invalidField('logo', `must have at most 64 KiB; this one has ${stats.size} bytes`)
  const bytes = readFileSync(path)
  const kind = KINDS.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins))
  if (!kind) throw invalidField('logo', 'must be a PNG or a JPEG picture')
  return { mediaType: kind.mediaType, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}
