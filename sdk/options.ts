export interface RialtoOptions {
  /** The secret key, `rc_sk_…`, for servers only. */
  apiKey: string | undefined
  /** Base URL of the API: `https://api.example.com`. Plain HTTP is only allowed for this machine. */
  baseUrl: string | URL | undefined
  /** Milliseconds to wait for the response of each attempt. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Maximum number of retries of a request that is safe to repeat. Default: 2. */
  maxRetries?: number | undefined
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: Fetch | undefined
}

/** The part of `fetch` that this library needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options that override the client's options for one request. */
export interface RequestOptions {
  /** Aborts the request, even while it waits for a retry. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface Settings {
  apiKey: string
  /** Base URL without a trailing slash. */
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  fetch: Fetch
}

const TIMEOUT_MS = 30_000
/** Maximum delay of `setTimeout`, in milliseconds. */
const TIMEOUT_MS_MAX = 2_147_483_647
const RETRIES = 2
const LOCAL_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** @throws TypeError that names the option, and never contains the key */
export function readOptions(options: RialtoOptions): Settings {
  return {
    apiKey: readKey(options?.apiKey),
    baseUrl: readBaseUrl(options.baseUrl),
    timeoutMs: readTimeout(options.timeoutMs, TIMEOUT_MS),
    maxRetries: readRetries(options.maxRetries, RETRIES),
    // Called as a method of the global object: workers refuse a detached `fetch`.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** Checks the characters: others would make `fetch` throw an error that contains the key. */
function readKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey: pass the secret key, rc_sk_…')
  if (!/^rc_sk_[\w-]+$/.test(apiKey)) throw new TypeError('apiKey: a secret key is rc_sk_ and letters, digits, - and _')
  return apiKey
}

function readBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' || baseUrl instanceof URL ? parseUrl(String(baseUrl)) : null
  if (!url) throw new TypeError('baseUrl: pass the address of the API, https://…')
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl: leave out user, password, query and fragment')
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOST.test(url.hostname))
  if (!isSafe) throw new TypeError(`baseUrl: use https; plain http would expose the key on the network`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

export function readTimeout(timeoutMs: number | undefined, otherwise: number): number {
  if (timeoutMs === undefined) return otherwise
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX) return timeoutMs
  throw new TypeError(`timeoutMs: must be milliseconds above 0, at most ${TIMEOUT_MS_MAX}`)
}

export function readRetries(maxRetries: number | undefined, otherwise: number): number {
  if (maxRetries === undefined) return otherwise
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries
  throw new TypeError('maxRetries: must be a whole number, 0 or more')
}
