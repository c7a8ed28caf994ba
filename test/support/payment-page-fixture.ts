import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOCALES, type PageFrame, type PaymentPageView } from '../../contract/payment-page.ts'
import { paymentPageHeaders } from '../../payment-form/page-headers.ts'
import { renderPaymentPage } from '../../payment-form/render-page.ts'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'

// The servers behind the payment page: one with the pages, and one on a different origin with the public session paths,
// whose responses each test defines in advance.

export interface Response {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delayMs?: number
  /** The response is sent once this has resolved. */
  held?: Promise<void>
  /** Whether to accept the request and end the connection without a response. */
  cut?: boolean
}

export interface Scenario {
  view: (frame: ScenarioFrame) => PaymentPageView
  /** Responses to `pay`, `customer` and the session's status, in order; the last one repeats. */
  pay?: Response[]
  customer?: Response[]
  status?: Response[]
  /** Responses of 3-D Secure. */
  init?: Response[]
  authenticate?: Response[]
}

export interface ScenarioFrame extends PageFrame {
  token: string
  apiBaseUrl: string
  /** Returns the URL of a page of the shop. */
  shopUrl: (path: string) => string
}

export interface ReceivedRequest {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

export interface OpenedScenario {
  url: string
  token: string
  /** Bodies posted to the public session paths. */
  posts: ReceivedRequest[]
  /** Forms posted to the page itself. */
  formPosts: URLSearchParams[]
  /** Returns the number of status requests. */
  statusReads: () => number
}

const SERVED = ['pay', 'customer', 'status', 'init', 'authenticate'] as const
type Served = (typeof SERVED)[number]

interface Running extends OpenedScenario {
  scenario: Scenario
  counts: Record<Served, number>
}

export interface PaymentPageFixture {
  open: (scenario: Scenario) => OpenedScenario
  script: { path: string; integrity: string; gzipBytes: number }
  apiOrigin: string
  /** A document of the pages' origin without a script. */
  blankUrl: string
  close: () => Promise<void>
}

/** The state that the two servers share. */
interface World {
  running: Map<string, Running>
  script: PaymentPageFixture['script']
  code: Buffer
  pageOrigin: string
  apiOrigin: string
}

export async function startPaymentPageFixture(): Promise<PaymentPageFixture> {
  const world: World = { running: new Map(), ...(await builtScript()), pageOrigin: '', apiOrigin: '' }
  const pages = createServer((request, response) => void servePage(world, request, response))
  const api = createServer((request, response) => void serveApi(world, request, response))
  world.pageOrigin = await listen(pages)
  world.apiOrigin = await listen(api)
  return {
    script: world.script,
    apiOrigin: world.apiOrigin,
    blankUrl: `${world.pageOrigin}/blank`,
    open: (scenario) => openScenario(world, scenario),
    async close() {
      await Promise.all([pages, api].map((server) => closeServer(server)))
    },
  }
}

async function builtScript(): Promise<Pick<World, 'script' | 'code'>> {
  await buildBrowserBundles()
  const build = new URL('../../build/payment-form/', import.meta.url)
  const { script } = JSON.parse(await readFile(new URL('manifest.json', build), 'utf8'))
  return { script: { path: `/assets/${script.file}`, ...script }, code: await readFile(new URL(script.file, build)) }
}

function openScenario({ running, pageOrigin }: World, scenario: Scenario): OpenedScenario {
  const token = randomBytes(32).toString('hex')
  const counts = { pay: 0, customer: 0, status: 0, init: 0, authenticate: 0 }
  const url = `${pageOrigin}/customer/checkout/${token}`
  const opened: Running = { scenario, url, token, posts: [], formPosts: [], counts, statusReads: () => counts.status }
  running.set(token, opened)
  return opened
}

async function servePage(world: World, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', world.pageOrigin)
  if (url.pathname === world.script.path)
    return response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(world.code)
  const current = world.running.get(url.pathname.split('/').at(-1) ?? '')
  if (!current)
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>')
  if (request.method === 'POST') current.formPosts.push(new URLSearchParams(await readText(request)))
  const frame = frameOf(world, current, url)
  const view = current.scenario.view(frame)
  response.writeHead(200, headersOf(view, frame, world)).end(renderPaymentPage(view))
}

function frameOf({ pageOrigin, apiOrigin, script }: World, { token }: Running, url: URL): ScenarioFrame {
  return {
    locale: LOCALES.find((locale) => locale === url.searchParams.get('locale')) ?? 'en',
    surface: 'hosted',
    nonce: randomBytes(16).toString('base64'),
    script: { url: `${pageOrigin}${script.path}`, integrity: script.integrity },
    languageLinks: LOCALES.map((locale) => ({ locale, href: `${url.pathname}?locale=${locale}` })),
    parent: null,
    token,
    apiBaseUrl: apiOrigin,
    shopUrl: (path) => `${pageOrigin}/shop/${path}`,
  }
}

async function serveApi(world: World, request: IncomingMessage, response: ServerResponse) {
  const cors = corsHeaders(world.pageOrigin)
  if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
  const text = await readText(request)
  const [, , area, token = '', path = 'status'] = (request.url ?? '').split('/')
  // Paths of 3-D Secure contain the business; the session is in the body.
  const named = area !== 'checkout' && text !== '' ? JSON.parse(text).session_token : token
  const current = world.running.get(named)
  if (!current || !isServed(path)) return response.writeHead(404, cors).end()
  if (request.method === 'POST') current.posts.push({ path, headers: request.headers, body: JSON.parse(text) })
  const responses = current.scenario[path] ?? []
  const scripted = responses[Math.min(current.counts[path]++, responses.length - 1)]
  if (!scripted) return response.writeHead(500, cors).end('{}')
  await sleep(scripted.delayMs ?? 0)
  await scripted.held
  if (scripted.cut) return request.socket.destroy()
  const headers = { ...cors, 'content-type': 'application/json', ...scripted.headers }
  response.writeHead(scripted.status ?? 200, headers).end(JSON.stringify(scripted.body))
}

function headersOf(view: PaymentPageView, frame: ScenarioFrame, { pageOrigin, apiOrigin }: World) {
  const data = 'data' in view ? view.data : null
  return paymentPageHeaders({
    surface: view.surface,
    nonce: frame.nonce,
    scriptUrl: view.script?.url ?? null,
    apiOrigin,
    parentOrigin: data?.checkout_session.parent_origin ?? null,
    hasImages: Boolean(data?.business.logo_url || data?.checkout_session.line_items.some((item) => item.image)),
    frameOrigins: [
      ...(data?.three_ds.enabled ? ["'self'"] : []),
      ...(view.walletFrame ? [new URL(view.walletFrame).origin] : []),
    ],
    isHttps: pageOrigin.startsWith('https:'),
  })
}

function corsHeaders(origin: string) {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type',
    'access-control-expose-headers': 'retry-after, request-id',
  }
}

const isServed = (path: string): path is Served => SERVED.some((served) => served === path)

async function readText(request: IncomingMessage): Promise<string> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
  return Buffer.concat(chunks).toString('utf8')
}

function listen(server: ReturnType<typeof createServer>): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
