import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { keyOfSpki } from './curve.ts'
import { type FetchedKeys, fetchRootKeys, type RootKey } from './fetch-root-keys.ts'
import { TEST_ROOT_PUBLIC_KEY } from './published-test-keys.ts'

export const GOOGLE_ROOT_KEYS_URL = 'https://payments.developers.google.com/paymentmethodtoken/keys.json'

/** Fraction of their maximum age after which keys are fetched again, so that a failure leaves time for retries. */
const REFRESH_AT = 0.8
const RETRY_SECONDS = { first: 30, most: 3_600 }

/** Google's root keys, which every token's chain of signatures begins with. One instance per process. */
export interface RootKeys {
  /** Returns the current keys; `[]` if none were ever fetched, or all have expired. */
  current(): Promise<readonly KeyObject[]>
  /** Stops a fetch in progress. */
  close(): void
}

/** Returns only the published test root, with which the simulated wallet signs. For staging. */
export function simulatedRootKeys(): RootKeys {
  const key = keyOfSpki(Buffer.from(TEST_ROOT_PUBLIC_KEY, 'base64'))
  return { current: async () => (key ? [key] : []), close: () => {} }
}

/**
 * Returns keys from a URL, fetched when first needed and then in the background. If a fetch fails, earlier keys remain
 * as long as they are current, and retries follow with growing delays.
 *
 * @see GPY-3
 */
export function fetchedRootKeys(parts: { url: string; clock: Clock; log: FastifyBaseLogger }): RootKeys {
  const { url, clock, log } = parts
  const closing = new AbortController()
  let keys: RootKey[] = []
  let nextAt = clock.now()
  let failures = 0
  let fetching: Promise<void> | null = null

  const usable = () => keys.filter(({ expiresAt }) => expiresAt > clock.now()).map(({ key }) => key)

  function keep(fetched: FetchedKeys): void {
    keys = fetched.keys
    failures = 0
    nextAt = addSeconds(clock.now(), fetched.maxAgeSeconds * REFRESH_AT * jitter())
  }

  function postpone(error: unknown): void {
    const wait = Math.min(RETRY_SECONDS.first * 2 ** failures, RETRY_SECONDS.most) * jitter()
    failures += 1
    nextAt = addSeconds(clock.now(), wait)
    log.warn({ err: error, usable: usable().length }, "Google's root keys could not be fetched")
  }

  const refresh = (): Promise<void> =>
    fetchRootKeys(url, clock.now(), closing.signal)
      .then(keep, postpone)
      .finally(() => {
        fetching = null
      })

  return {
    async current() {
      if (clock.now() >= nextAt && !closing.signal.aborted) fetching ??= refresh()
      const known = usable()
      if (known.length > 0 || !fetching) return known
      await fetching
      return usable()
    },
    close: () => closing.abort(),
  }
}

/** Returns a factor from 0.8 to 1, so that processes do not fetch at the same instant. */
const jitter = (): number => 0.8 + 0.2 * Math.random()
