import { ConnectionError, RialtoError, TimeoutError } from './errors.ts'
import { type RequestOptions, readRetries, readTimeout, type Settings } from './options.ts'
import { readResponse } from './read-response.ts'
import { pause, waitBeforeRetryMs } from './retry.ts'
import { VERSION } from './version.ts'

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below the version: `/customers/…`. */
  path: string
  query?: Query | undefined
  body?: unknown
  /** Whether processing the request twice has the same effect as once. Always true for GET and PATCH. */
  repeatable?: boolean
  options?: RequestOptions | undefined
}

/** Query parameters; `undefined` members are omitted. */
export type Query = Record<string, string | number | boolean | undefined>

/** Sends a request, with retries where that is safe, and returns the body of a successful response. */
export type Send = <Response>(request: ApiRequest) => Promise<Response>

const VERSION_PATH = '/api/v1'
/** Headers that name the client. There are two, because browsers and some workers set their own user agent. */
const CLIENT_HEADERS = { 'user-agent': `rialto-sdk/${VERSION}`, 'x-rialto-client': `rialto-sdk/${VERSION}` }

/** Returns a function that sends requests. The closure keeps the key out of printed objects. */
export function createTransport(settings: Settings): Send {
  return async <Response>(request: ApiRequest) => (await sendAndRetry(settings, request)) as Response
}

async function sendAndRetry(settings: Settings, request: ApiRequest): Promise<unknown> {
  const { method, options = {}, repeatable = method === 'GET' || method === 'PATCH' } = request
  const maxRetries = readRetries(options.maxRetries, settings.maxRetries)
  for (let retriesMade = 0; ; retriesMade++) {
    try {
      return await sendOnce(settings, request)
    } catch (error) {
      const waitMs = retriesMade < maxRetries ? waitBeforeRetryMs(error, repeatable, retriesMade) : null
      if (waitMs === null) throw error
      await pause(waitMs, options.signal)
    }
  }
}

/** Makes one attempt. The timeout covers the whole response. */
async function sendOnce(settings: Settings, request: ApiRequest): Promise<unknown> {
  const { signal, timeoutMs } = request.options ?? {}
  const waitMs = readTimeout(timeoutMs, settings.timeoutMs)
  const url = urlOf(settings, request)
  const init = initOf(settings, request)
  signal?.throwIfAborted()
  // Node 20.0 lacks AbortSignal.any, and the timer of AbortSignal.timeout outlives the response.
  const ending = new AbortController()
  const stop = () => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(), waitMs)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await readResponse(await settings.fetch(url, { ...init, signal: ending.signal }))
  } catch (error) {
    if (error instanceof RialtoError) throw error
    signal?.throwIfAborted()
    throw ending.signal.aborted ? timedOut(waitMs, error) : connectionFailed(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

function urlOf({ baseUrl }: Settings, { path, query = {} }: ApiRequest): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${baseUrl}${VERSION_PATH}${path}${search && `?${search}`}`
}

function initOf({ apiKey }: Settings, { method, body }: ApiRequest): RequestInit {
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json', ...CLIENT_HEADERS }
  if (body === undefined) return { method, headers, redirect: 'manual' }
  return {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
  }
}

function timedOut(waitMs: number, cause: unknown): TimeoutError {
  const message = `No response within ${waitMs} ms`
  return new TimeoutError({ type: 'connection_error', code: 'timeout', message, cause })
}

function connectionFailed(cause: unknown): ConnectionError {
  const message = `No response: ${reasonOf(cause)}`
  return new ConnectionError({ type: 'connection_error', code: 'connection_failed', message, cause })
}

/** Returns the reason of a failure: Node's `fetch` always reports `fetch failed`, with the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown }
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string }
  return code || reason || message || 'the connection failed'
}
