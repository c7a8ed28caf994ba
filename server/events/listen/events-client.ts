import type { AccountResponse } from '../../../contract/account.ts'
import type { EventEnvelope } from '../../../contract/event.ts'
import { readBoundedText } from '../../lib/bounded-text.ts'
import { isUuid } from '../../lib/ids.ts'
import { retryAfterSeconds } from '../../lib/retry-after.ts'

const PAGE = 100
const TIMEOUT_MS = 15_000
/** Wait after a 429 without a `Retry-After`. */
const RETRY_AFTER_S = 10
/** Maximum wait: the limits of a key are counted per minute. */
const RETRY_AFTER_S_MAX = 60
/** Larger than a page of the largest events. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
const TYPE = /^[a-z_.]{1,100}$/

/** The key is wrong, or may not be used from here. Retrying would not help. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused'
}

/** No usable response came. The next one may be usable. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

export interface EventsClient {
  /** Returns the business of the key, and the service's current time. */
  account(): Promise<{ name: string; now: Date }>
  /** Returns a page of events, newest first. */
  list(after?: string): Promise<{ events: EventEnvelope[]; hasMore: boolean }>
}

/** Reads events over HTTP, just as any developer could. */
export function createEventsClient({ url, key }: { url: string; key: string }, signal: AbortSignal): EventsClient {
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch((error) => {
      throw new NoResponse(`${url} cannot be reached: ${describeLost(error)}`)
    })
    return { body: await readBody(response, url), headers: response.headers }
  }
  return {
    async account() {
      const { body, headers } = await get('/account')
      const date = Date.parse(headers.get('date') ?? '')
      const { business_name: name } = (body.data ?? {}) as Partial<AccountResponse['data']>
      if (typeof name !== 'string') throw foreign(url)
      return { name, now: new Date(Number.isNaN(date) ? Date.now() : date) }
    },
    async list(after) {
      const { body } = await get(`/events?limit=${PAGE}${after === undefined ? '' : `&starting_after=${after}`}`)
      if (!isPage(body.data, after)) throw foreign(url)
      return { events: body.data, hasMore: body.has_more === true && body.data.length > 0 }
    },
  }
}

/** Whether these are events, each older than the one before: otherwise reading them might never end. */
function isPage(data: unknown, after: string | undefined): data is EventEnvelope[] {
  if (!Array.isArray(data) || data.length > PAGE) return false
  const ids: unknown[] = data.map((event) => event?.id)
  const isEvent = (event: EventEnvelope) => isUuid(event?.id) && TYPE.test(event.type)
  return (
    data.every(isEvent) && ids.every((id, index) => String(id) < String(index === 0 ? (after ?? 'g') : ids[index - 1]))
  )
}

const foreign = (url: string) => new NoResponse(`${url} sent no response of Rialto`)

async function readBody(response: Response, url: string): Promise<Record<string, unknown>> {
  const { status, headers } = response
  const body = await readBoundedText(response, BODY_BYTES_MAX)
    .then(JSON.parse)
    .catch(() => null)
  if (status === 200 && typeof body === 'object' && body !== null) return body
  const message = typeof body?.error?.message === 'string' ? body.error.message : 'not a response of Rialto'
  if (status === 401 || status === 403) throw new KeyRefused(`The key is refused by ${url}: ${message}`)
  const seconds = retryAfterSeconds(headers.get('retry-after'), new Date()) ?? RETRY_AFTER_S
  const wait = status === 429 || status === 503 ? Math.min(seconds, RETRY_AFTER_S_MAX) : 0
  throw new NoResponse(`${url} responded ${status}: ${message}`, wait * 1_000)
}

/** Describes the cause of a failed `fetch`, whose own message says nothing. */
export function describeLost(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'no response in time'
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string }
  return code ?? inner ?? message
}
