import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Number of random bytes drawn at once: one draw for each id costs 5 % of a create (measured). */
const POOL_BYTES = 4_096
const ID_BYTES = 16
let pool = randomBytes(POOL_BYTES)
let used = 0

/** Returns random bytes that were never used; read them before the next draw. */
function draw(count: number): Buffer {
  if (count > POOL_BYTES) return randomBytes(count)
  if (used + count > POOL_BYTES) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** Returns the smallest id of a millisecond: ids made earlier are smaller. There are none from before 1970. */
export function firstIdAt(instant: Date): string {
  return v7({ random: new Uint8Array(ID_BYTES), msecs: Math.max(0, instant.getTime()), seq: 0 })
}

/** Returns an id that is smaller than those made in the last `ms` milliseconds, and greater than earlier ones. */
export const idBefore = (ms: number): string => firstIdAt(new Date(Date.now() - ms))

/** Returns when a UUIDv7 was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

let lastMs = 0
let sequence = 0

/** Makes the id of a row. Ids are UUIDv7: ordered by time, so that primary key indexes stay compact. */
export function newId(): string {
  const random = draw(ID_BYTES)
  const now = Date.now()
  // Within a millisecond, and after the clock was set back, ids count up from a random start.
  sequence = now > lastMs ? random.readUInt32BE() >>> 1 : sequence + 1
  lastMs = Math.max(now, lastMs)
  return v7({ random, msecs: lastMs, seq: sequence })
}

/** Returns when an id was made, in milliseconds since 1970. */
export const msOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/**
 * Whether a text is a UUID in lower case without braces. PostgreSQL accepts more spellings; the API responds with 404
 * to those.
 */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)

const UUID_IN_ANY_CASE = new RegExp(UUID, 'i')

/**
 * Returns a UUID in lower case, as it is stored; any other text unchanged. People and some languages write capitals.
 */
export const canonicalUuid = (text: string): string => (UUID_IN_ANY_CASE.test(text) ? text.toLowerCase() : text)

const VERSION_AT = 14

/** Returns the version digit of an id: 7, unless the id stands for another object's. */
export const versionOfId = (id: string): string => id.charAt(VERSION_AT)

/** Returns an id that identifies its object without being the object's own. */
export const idOfVersion = (id: string, version: '9'): string =>
  `${id.slice(0, VERSION_AT)}${version}${id.slice(VERSION_AT + 1)}`

/** Returns the 16 bytes of an id. */
export function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** @param bytes the 16 bytes of an id */
export function idOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Returns random text in Crockford base 32, which has no ambiguous letters: five bits a character. */
export function randomBase32(length: number): string {
  let text = ''
  for (const byte of draw(length)) text += BASE32[byte & 31]
  return text
}

/**
 * Writes a whole number in Crockford base 32, most significant digit first; bits above `characters` × 5 are cut off.
 */
export function base32(number: number, characters: number): string {
  let text = ''
  for (let rest = number; text.length < characters; rest = Math.floor(rest / 32)) text = BASE32[rest % 32] + text
  return text
}
