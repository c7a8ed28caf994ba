import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { request } from 'undici'
import type { TestService } from './service.ts'

// Requests of tests. `fetch` takes more processor time than most of the requests that tests make.

// biome-ignore lint/suspicious/noExplicitAny: a test reads responses of any shape; the schemas are what is under test.
export type Response = { status: number; headers: Headers; body: any }

const ANSWER_WITHIN_MS = 30_000
/** Headers that `fetch` adds, and that are therefore added here. */
const OF_FETCH = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
}
const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}
const REDIRECTS = [301, 302, 303, 307, 308]

/** Listeners that are called without a connection, by their origin. */
const inProcess = new Map<string, FastifyInstance>()

/**
 * Makes `send` call the listeners of a service as functions: for tests with many requests that are not about
 * connections, which take half of the time of such a request.
 */
export function callInProcess(service: Pick<TestService, 'app' | 'url' | 'formUrl' | 'operationsUrl'>): void {
  const { app, url, formUrl, operationsUrl } = service
  for (const [origin, listener] of [
    [url, app.api],
    [formUrl, app.form],
    [operationsUrl, app.operations],
  ] as const) {
    inProcess.set(origin, listener)
    listener.server.once('close', () => inProcess.delete(origin))
  }
}

/** Sends a request as `fetch` does, and reads the response, which may be JSON. */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers: given, body, ...more } = init
  const headers = { ...OF_FETCH, ...lowerCased(given) }
  // `fetch` knows how to encode other bodies, and what else a request may ask for.
  if (Object.keys(more).length > 0 || !isReady(body, headers)) return fetched(url, init)
  const listener = inProcess.get(new URL(url).origin)
  const sent = { method, headers, body: body as string | Buffer | undefined }
  const response = await (listener ? injected(listener, url, sent) : requested(url, sent))
  const location = response.headers.get('location')
  if (location === null || !REDIRECTS.includes(response.status)) return response
  return fetched(new URL(location, url).href, response.status > 303 ? init : { headers: withoutBody(headers) })
}

const withoutBody = ({ 'content-type': _, ...headers }: Record<string, string>) => headers

interface Sent {
  method: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

const isReady = (body: unknown, headers: object): boolean =>
  body === undefined || Buffer.isBuffer(body) || (typeof body === 'string' && 'content-type' in headers)

const lowerCased = (headers: RequestInit['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    (headers instanceof Headers || Array.isArray(headers) ? [...headers] : Object.entries(headers)).map(
      ([name = '', value]) => [name.toLowerCase(), String(value)],
    ),
  )

async function fetched(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), ...init })
  return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
}

async function requested(url: string, { method, headers, body = '' }: Sent): Promise<Response> {
  const response = await request(url, {
    method: method as 'GET',
    headers,
    body: body === '' ? null : body,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  })
  const received = headersOf(response.headers)
  return responseOf(response.statusCode, received, Buffer.from(await response.body.arrayBuffer()))
}

async function injected(listener: FastifyInstance, url: string, { method, headers, body }: Sent): Promise<Response> {
  const { host, pathname, search } = new URL(url)
  const response = await listener.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: pathname + search,
    headers: { host, ...headers },
    ...(body !== undefined && { payload: body }),
  })
  const received = headersOf(response.headers)
  return responseOf(response.statusCode, received, response.rawPayload)
}

/** @param bytes the body as it was sent; empty in a response to HEAD, whatever its headers say */
function responseOf(status: number, headers: Headers, bytes: Buffer): Response {
  const decode = bytes.length > 0 && DECODERS[headers.get('content-encoding') ?? '']
  return { status, headers, body: parsed((decode ? decode(bytes) : bytes).toString()) }
}

function headersOf(given: Record<string, string | string[] | number | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one))
  return headers
}

function parsed(received: string): unknown {
  // Readers of text leave out a byte order mark, and so does this one for each kind of response.
  const text = received.replace(/^\ufeff/, '')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
