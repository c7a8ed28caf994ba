export interface RialtoOptions {
  /** The secret key, `rc_sk_…`. It is for servers only. */
  apiKey: string | undefined
  /** Where the API is: `https://api.example.com`. Plain HTTP is for this machine only. */
  baseUrl: string | URL | undefined
  /** Milliseconds to wait for a response, each try for itself; 30,000 unless said. */
  timeoutMs?: number | undefined
  /** How often a request that may be repeated is sent again; 2 unless said. */
  maxRetries?: number | undefined
  /** Used in place of the global one: for a proxy, for a test. */
  fetch?: Fetch | undefined
}

/** What this library needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** For one request, in place of what the client was made with. */
export interface RequestOptions {
  /** Ends the request, also while it waits to be sent again. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface Settings {
  apiKey: string
  /** Without a slash at its end. */
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  fetch: Fetch
}

const TIMEOUT_MS = 30_000
/** What `setTimeout` can count to. */
const TIMEOUT_MS_MAX = 2_147_483_647
const RETRIES = 2
const LOCAL_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** @throws TypeError that names the option, and never repeats the key */
export function readOptions(options: RialtoOptions): Settings {
  return {
    apiKey: readKey(options?.apiKey),
    baseUrl: readBaseUrl(options.baseUrl),
    timeoutMs: readTimeout(options.timeoutMs, TIMEOUT_MS),
    maxRetries: readRetries(options.maxRetries, RETRIES),
    // Called through the global object: workers refuse a `fetch` that was taken off it.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** What else it may be made of would make `fetch` repeat the key in an error of its own. */
function readKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey: give the secret key, rc_sk_…')
  if (!/^rc_sk_[\w-]+$/.test(apiKey)) throw new TypeError('apiKey: a secret key is rc_sk_ and letters, digits, - and _')
  return apiKey
}

function readBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' || baseUrl instanceof URL ? parseUrl(String(baseUrl)) : null
  if (!url) throw new TypeError('baseUrl: give the address of the API, https://…')
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl: leave out user, password, query and fragment')
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOST.test(url.hostname))
  if (!isSafe) throw new TypeError(`baseUrl: use https; plain http would show the key to everybody on the way`)
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
  throw new TypeError(`timeoutMs: milliseconds, above 0 and up to ${TIMEOUT_MS_MAX}`)
}

export function readRetries(maxRetries: number | undefined, otherwise: number): number {
  if (maxRetries === undefined) return otherwise
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries
  throw new TypeError('maxRetries: a whole number from 0')
}
