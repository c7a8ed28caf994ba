import type { KeyObject } from 'node:crypto'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { readBoundedText } from '../lib/bounded-text.ts'
import { keyOfSpki } from './curve.ts'

const BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 5_000
const KEYS_MAX = 20
const DAY_SECONDS = 24 * 60 * 60
/** What Google's libraries take where the response does not say. */
const MAX_AGE_SECONDS = 7 * DAY_SECONDS
const MAX_AGE_LIMITS = { least: 60, most: 30 * DAY_SECONDS }

/** A key with which Google signs. */
export interface RootKey {
  key: KeyObject
  expiresAt: Date
}

export interface FetchedKeys {
  keys: RootKey[]
  /** For how long they may be kept. */
  maxAgeSeconds: number
}

/** Members and keys that are unknown here are ignored, such as keys of other protocols. */
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
 * Fetches Google's root keys: those of ECv2 that are current.
 *
 * @throws when there are none, for any reason
 * @see GPY-3
 */
export async function fetchRootKeys(url: string, now: Date, signal: AbortSignal): Promise<FetchedKeys> {
  const response = await fetch(url, {
    // A redirect could lead to somebody else's keys.
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

/** How long the response stays fresh, of which a cache on the way may have used up a part (RFC 9111, 4.2). */
function freshSeconds(headers: Headers): number {
  const [, maxAge = MAX_AGE_SECONDS] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(headers.get('cache-control') ?? '') ?? []
  const [, age = 0] = /^\s*(\d{1,10})\s*(?:,|$)/.exec(headers.get('age') ?? '') ?? []
  return Math.min(Math.max(Number(maxAge) - Number(age), MAX_AGE_LIMITS.least), MAX_AGE_LIMITS.most)
}
