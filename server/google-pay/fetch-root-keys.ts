import type { KeyObject } from 'node:crypto'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { readBoundedText } from '../lib/bounded-text.ts'
import { keyOfSpki } from './curve.ts'

const BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 5_000
const KEYS_MAX = 20
const DAY_SECONDS = 24 * 60 * 60
/** Default of Google's libraries, for a response that does not state an age. */
const MAX_AGE_SECONDS = 7 * DAY_SECONDS
const MAX_AGE_LIMITS = { least: 60, most: 30 * DAY_SECONDS }

/** Key with which Google signs. */
export interface RootKey {
  key: KeyObject
  expiresAt: Date
}

export interface FetchedKeys {
  keys: RootKey[]
  /** How long the keys may be cached. */
  maxAgeSeconds: number
}

/** Unknown members and keys are ignored, such as keys of other protocols. */
const Published = Compile(
  Type.Object({
    keys: Type.Array(
      Type.Object({
        keyValue: Type.String(),
        protocolVersion: Type.String(),
        keyExpiration: Type.Optional(Type.String()),
      }),
    ),
  }),
)

/**
 * Fetches Google's root keys: the current ones of ECv2.
 *
 * @throws if there are none, for whatever reason
 * @see GPY-3
 */
export async function fetchRootKeys(url: string, now: Date, signal: AbortSignal): Promise<FetchedKeys> {
  const response = await fetch(url, {
    // A redirect could lead to someone else's keys.
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the response has status ${response.status}`)
  }
  const published: unknown = JSON.parse(await readBoundedText(response, BYTES_MAX))
  if (!Published.Check(published)) throw new Error('the response does not have the shape of keys')
  const keys = published.keys.flatMap((given) => rootKeyOf(given) ?? []).filter(({ expiresAt }) => expiresAt > now)
  if (keys.length === 0) throw new Error('the response has no current key of ECv2')
  return { keys: keys.slice(0, KEYS_MAX), maxAgeSeconds: freshSeconds(response.headers) }
}

interface PublishedKey {
  keyValue: string
  protocolVersion: string
  keyExpiration?: string
}

/** @returns `null` for a key of another protocol, and for one without an expiry */
function rootKeyOf({ keyValue, protocolVersion, keyExpiration = '' }: PublishedKey): RootKey | null {
  const key = keyOfSpki(Buffer.from(keyValue, 'base64'))
  if (protocolVersion !== 'ECv2' || !/^\d{1,15}$/.test(keyExpiration) || !key) return null
  return { key, expiresAt: new Date(Number(keyExpiration)) }
}

/** Returns how long the response stays fresh; a cache in between may have used up part of that time (RFC 9111, 4.2). */
function freshSeconds(headers: Headers): number {
  const [, maxAge = MAX_AGE_SECONDS] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(headers.get('cache-control') ?? '') ?? []
  const [, age = 0] = /^\s*(\d{1,10})\s*(?:,|$)/.exec(headers.get('age') ?? '') ?? []
  return Math.min(Math.max(Number(maxAge) - Number(age), MAX_AGE_LIMITS.least), MAX_AGE_LIMITS.most)
}
