import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Ids of rows are UUIDv7: ordered by time, so that a primary key index stays compact. */
export const newId = (): string => v7()

/** PostgreSQL also takes braces and capitals; we answer 404 for those instead of guessing. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)

/** Random text of Crockford base 32: no letters that are read wrong, five bits a character. */
export function randomBase32(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += BASE32[byte & 31]
  return text
}
