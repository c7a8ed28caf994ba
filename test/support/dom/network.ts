import type { EventEmitter } from 'node:events'
import { Agent, type Dispatcher, request } from 'undici'

// Requests of pages without a browser: with the cookies of their person, and through the routes of the test.

export type UrlPattern = string | RegExp | ((url: URL) => boolean)

interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body: string | null
}

/** A page, and the address of its document. */
interface Sender {
  base: string
  events: EventEmitter
}

type Handler = (route: DomRoute, request: DomRequest) => unknown

interface Route {
  pattern: UrlPattern
  handler: Handler
  timesLeft: number
}

interface Fulfilment {
  response?: DomResponse
  status?: number
  headers?: Record<string, string>
  contentType?: string
  body?: string | Buffer
  json?: unknown
}

/** The cookies and routes of a person's pages. */
export class Network {
  readonly cookies = new Map<string, string>()
  readonly headers: Record<string, string>
  isOffline = false
  readonly #agent = new Agent()
  #routes: Route[] = []

  constructor(headers: Record<string, string>) {
    this.headers = headers
  }

  route(pattern: UrlPattern, handler: Handler, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#routes.unshift({ pattern, handler, timesLeft: times })
  }

  unroute(pattern?: UrlPattern, handler?: Handler): void {
    const isMeant = (route: Route) =>
      (pattern === undefined || String(route.pattern) === String(pattern)) && (!handler || route.handler === handler)
    this.#routes = this.#routes.filter((route) => !isMeant(route))
  }

  /** Sends a request of a page's script. */
  async fetch({ base, events }: Sender, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const asked = input instanceof Request ? input : new Request(new URL(input, base), init)
    const body = ['GET', 'HEAD'].includes(asked.method) ? null : await asked.text()
    const sent: Sent = { url: asked.url, method: asked.method, headers: Object.fromEntries(asked.headers), body }
    const made = new DomRequest(sent, base)
    events.emit('request', made)
    events.emit('started')
    try {
      const response = await abortable(asked.signal, this.#respond(made, asked.signal))
      made.received = new DomResponse(made, response.clone())
      events.emit('response', made.received)
      events.emit('requestfinished', made)
      return response
    } catch (error) {
      events.emit('requestfailed', made)
      throw error
    } finally {
      events.emit('ended')
    }
  }

  #respond(request: DomRequest, signal: AbortSignal): Promise<Response> {
    const tried = new Set<Route>()
    const next = (): Promise<Response> => {
      const isMeant = (one: Route) =>
        !tried.has(one) && one.timesLeft > 0 && matchesUrl(one.pattern, request.url(), request.base)
      const route = this.#routes.find(isMeant)
      if (!route) return this.send(request.sent, signal)
      tried.add(route)
      route.timesLeft--
      return new Promise((resolve, reject) => {
        const offered = new DomRoute(this, request, { resolve, reject, next })
        Promise.resolve(route.handler(offered, request)).catch(reject)
      })
    }
    return next()
  }

  /** Sends a request to the service, and keeps the cookies of its response. */
  async send({ url, method, headers, body }: Sent, signal?: AbortSignal, mode = 'cors'): Promise<Response> {
    if (this.isOffline) throw new TypeError('Failed to fetch')
    const isDocument = mode === 'navigate'
    const response = await request(url, {
      dispatcher: this.#agent,
      method: method as Dispatcher.HttpMethod,
      body,
      headers: {
        ...this.headers,
        ...headers,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': isDocument ? 'none' : 'same-origin',
        'sec-fetch-mode': mode,
        'sec-fetch-dest': isDocument ? 'document' : 'empty',
        ...(method !== 'GET' && { origin: new URL(url).origin }),
      },
      ...(signal && { signal }),
    }).catch((error: Error) => {
      throw error.name === 'AbortError' ? error : new TypeError('Failed to fetch', { cause: error })
    })
    const content = await response.body.arrayBuffer()
    const { 'set-cookie': cookies = [], ...others } = response.headers
    for (const cookie of [cookies].flat()) this.#keep(cookie)
    const given = Object.entries(others).map(([name, value]): [string, string] => [name, String(value)])
    return new Response(content.byteLength === 0 ? null : content, { status: response.statusCode, headers: given })
  }

  /** Ends every connection: an open one would hold up the end of the service. */
  close = () => this.#agent.destroy()

  #keep(cookie: string): void {
    const [, name = '', value = ''] = cookie.match(/^([^=]+)=([^;]*)/) ?? []
    if (value === '' || /max-age=0(?:;|$)/i.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** A page may abort a request that a route of the test never ends. */
function abortable(signal: AbortSignal, response: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

export class DomRequest {
  readonly sent: Sent
  readonly base: string
  received: DomResponse | null = null

  constructor(sent: Sent, base: string) {
    this.sent = sent
    this.base = base
  }

  url = () => this.sent.url
  method = () => this.sent.method
  headers = () => this.sent.headers
  allHeaders = async () => this.sent.headers
  headerValue = async (name: string) => this.sent.headers[name.toLowerCase()] ?? null
  postData = () => this.sent.body
  postDataJSON = () => (this.sent.body === null ? null : JSON.parse(this.sent.body))
  resourceType = () => 'fetch'
  isNavigationRequest = () => false
  response = async () => this.received
}

export class DomResponse {
  readonly #request: DomRequest
  readonly #response: Response
  #body: Promise<ArrayBuffer> | null = null

  constructor(request: DomRequest, response: Response) {
    this.#request = request
    this.#response = response
  }

  url = () => this.#request.url()
  request = () => this.#request
  status = () => this.#response.status
  ok = () => this.#response.ok
  headers = () => Object.fromEntries(this.#response.headers)
  body = async () => Buffer.from(await this.#read())
  text = async () => (await this.body()).toString('utf8')
  json = async () => JSON.parse(await this.text())
  finished = async () => null

  #read(): Promise<ArrayBuffer> {
    this.#body ??= this.#response.arrayBuffer()
    return this.#body
  }
}

interface Outcome {
  resolve(response: Response): void
  reject(error: unknown): void
  next(): Promise<Response>
}

class DomRoute {
  readonly #network: Network
  readonly #request: DomRequest
  readonly #outcome: Outcome

  constructor(network: Network, request: DomRequest, outcome: Outcome) {
    this.#network = network
    this.#request = request
    this.#outcome = outcome
  }

  request = () => this.#request
  continue = async (changes: { headers?: Record<string, string>; postData?: string } = {}) => {
    const { sent } = this.#request
    if (changes.headers) sent.headers = changes.headers
    if (changes.postData !== undefined) sent.body = changes.postData
    await this.#network.send(sent).then(this.#outcome.resolve, this.#outcome.reject)
  }
  fallback = async () => {
    await this.#outcome.next().then(this.#outcome.resolve, this.#outcome.reject)
  }
  fetch = async () => new DomResponse(this.#request, await this.#network.send(this.#request.sent))
  abort = async () => this.#outcome.reject(new TypeError('Failed to fetch'))
  fulfill = async ({ response, status, headers, contentType, body, json }: Fulfilment = {}) => {
    const content = json === undefined ? (body ?? (response && (await response.body())) ?? '') : JSON.stringify(json)
    const types = json === undefined ? contentType : 'application/json'
    const { 'content-encoding': _, 'content-length': __, ...given } = { ...response?.headers(), ...headers }
    const init = {
      status: status ?? response?.status() ?? 200,
      headers: { ...given, ...(types && { 'content-type': types }) },
    }
    const isEmpty = [204, 304].includes(init.status)
    this.#outcome.resolve(new Response(isEmpty ? null : new Uint8Array(Buffer.from(content as string)), init))
  }
}

export function matchesUrl(pattern: UrlPattern, url: string, base: string): boolean {
  if (typeof pattern === 'function') return pattern(new URL(url))
  if (pattern instanceof RegExp) return new RegExp(pattern.source, pattern.flags.replace('g', '')).test(url)
  const absolute = /^(?:\*|\w+:)/.test(pattern) ? pattern : new URL(pattern, base).href
  return globOf(absolute).test(url)
}

/** `**` stands for anything, `*` for anything without a slash, `{a,b}` for one of several. */
function globOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/?|\*|\{[^}]*\})/).map((part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(RegExp.escape).join('|')})`
    return RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('')}$`)
}
