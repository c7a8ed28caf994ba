import { parseStrictJson } from './strict-json.ts'
import { TokenRefused, type TokenStep } from './token-refused.ts'

// Readers of a token's content. Each throws TokenRefused with the step that it belongs to.

type Members = Record<string, unknown>

export function jsonObject(text: string, step: TokenStep): Members {
  let value: unknown
  try {
    value = parseStrictJson(text)
  } catch {
    throw new TokenRefused(step)
  }
  return object(value, step)
}

export function object(value: unknown, step: TokenStep): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TokenRefused(step)
  return value as Members
}

/** Requires an object with exactly these members. @param members the object */
export function exactly<Name extends string>(
  members: Members,
  names: readonly Name[],
  step: TokenStep,
): Record<Name, unknown> {
  const isExact = Object.keys(members).length === names.length && names.every((name) => Object.hasOwn(members, name))
  if (!isExact) throw new TokenRefused(step)
  return members as Record<Name, unknown>
}

export function string(value: unknown, step: TokenStep): string {
  if (typeof value !== 'string') throw new TokenRefused(step)
  return value
}

/** Decodes base64. Accepts only the standard alphabet with padding, and only one spelling of the bytes. */
export function base64(value: unknown, step: TokenStep): Buffer {
  const bytes = bytesOf(string(value, step))
  if (!bytes) throw new TokenRefused(step)
  return bytes
}

/** @returns `null` for a text that is not base64 in this spelling */
export function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes : null
}

const MILLISECONDS = /^\d{1,16}$/

/** Reads milliseconds since 1970 from a text, as Google writes them. */
export function instant(value: unknown, step: TokenStep): Date {
  const text = string(value, step)
  const date = new Date(MILLISECONDS.test(text) ? Number(text) : Number.NaN)
  if (Number.isNaN(date.getTime())) throw new TokenRefused(step)
  return date
}
