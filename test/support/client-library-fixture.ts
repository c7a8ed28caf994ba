import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { ORIGIN_BLANK } from '../../server/checkout/page/client-library-routes.ts'

// The client library with a shop's page, an API and a form that the test controls. There is one server on loopback; its
// names (shop.localhost, pay.localhost, evil.localhost) are different origins for a browser.

export const SESSION_ID = '0198f3a2-0000-7000-8000-000000000001'
export const TOKEN = 'tok_'.repeat(16)

export interface ApiResponse {
  status?: number
  body?: unknown
  /** Whether the API never responds. */
  isSilent?: boolean
  cut?: boolean
}

export interface ApiRequest {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

export interface ClientLibraryFixture {
  /** Returns `http://<name>.localhost:<port>`. */
  origin(name: 'shop' | 'pay' | 'evil' | 'api' | 'other-shop'): string
  scripts: Record<'rialto-checkout' | 'rapid', { integrity: string; bytes: number; gzipBytes: number }>
  /** Requests to the API since the last {@link response}. */
  requests: ApiRequest[]
  /** Sets the next responses of the API, in order; the last one repeats. Without any, it creates the session. */
  response(...responses: ApiResponse[]): void
  /** Returns a page of the shop, with the library. `policy` is its Content-Security-Policy. */
  shopPage(options?: {
    script?: string
    attributes?: string
    policy?: string
    body?: string
    name?: 'shop' | 'other-shop'
  }): string
  close(): Promise<void>
}

export async function startClientLibrary(): Promise<ClientLibraryFixture> {
  await buildBrowserBundles()
  const [checkout, rapid] = await Promise.all([readScript('rialto-checkout'), readScript('rapid')])
  const form = await readForm()
  const requests: ApiRequest[] = []
  let responses: ApiResponse[] = []
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = (name: string) => `http://${name}.localhost:${port}`

  // The current build, and a released version.
  const scripts: Record<string, string> = {
    '/js/rialto-checkout.js': checkout.code.replace(ORIGIN_BLANK, origin('pay')),
    '/js/rapid.js': rapid.code.replace(ORIGIN_BLANK, origin('pay')),
    '/js/released/rialto-checkout.js': checkout.code,
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const text = (type: string, body: string, headers = {}) =>
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
    const library = scripts[url.pathname]
    if (library) return text('text/javascript', library, { 'access-control-allow-origin': '*' })
    if (url.pathname === '/form.js') return text('text/javascript', form)
    if (url.pathname.startsWith('/customer/')) return text('text/html', formPage(origin('shop')))
    if (url.pathname.startsWith('/api/') || url.pathname === '/verify') return serveApi(request, response, url)
    if (url.pathname !== '/') return text('text/html', '<!doctype html><title>Elsewhere</title>')
    const policy = url.searchParams.get('policy')
    text('text/html', shopHtml(url.searchParams), policy ? { 'content-security-policy': policy } : {})
  }

  async function serveApi(request: IncomingMessage, response: ServerResponse, url: URL) {
    const cors = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-headers': 'authorization, content-type',
    }
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    requests.push({ path: url.pathname, headers: request.headers, body })
    const scripted = responses.length > 1 ? responses.shift() : responses[0]
    if (scripted?.isSilent) return
    if (scripted?.cut) return request.socket.destroy()
    const isRapid = url.pathname.includes('rapid')
    const checkout_url = `${origin('pay')}/customer/checkout${isRapid ? '-rapid' : ''}/${TOKEN}`
    const created = { ok: true, checkout_session: { id: SESSION_ID, token: TOKEN, checkout_url } }
    response.writeHead(scripted?.status ?? 200, { ...cors, 'content-type': 'application/json' })
    response.end(JSON.stringify(scripted?.body ?? created))
  }

  return {
    origin,
    scripts: { 'rialto-checkout': checkout.script, rapid: rapid.script },
    requests,
    response(...next) {
      responses = next
      requests.length = 0
    },
    shopPage({ name = 'shop', ...options } = {}) {
      return `${origin(name)}/?${new URLSearchParams(options as Record<string, string>)}`
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function shopHtml(query: URLSearchParams): string {
  const script = `<script src="/js/${query.get('script') ?? 'rialto-checkout'}.js" ${query.get('attributes') ?? ''}></script>`
  return `<!doctype html><html lang="en"><title>Shop</title>${script}<body><h1>Shop</h1>
<button id="buy">Buy</button><a id="link" href="#x">Link</a><div id="checkout"></div>${query.get('body') ?? ''}
<footer id="end"></footer>`
}

/** Sends the real form's messages when a test calls it. */
function formPage(parentOrigin: string): string {
  return `<!doctype html><html lang="en" data-parent="${parentOrigin}" data-session="${SESSION_ID}"><title>Pay</title>
<body><main><input id="number" aria-label="Card number"><button id="pay">Pay</button></main>
<script type="module" src="/form.js"></script>`
}

/** Returns parent-messages.ts and its part of the contract as one module, without a build. */
async function readForm(): Promise<string> {
  const read = async (path: string) => {
    const source = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
    return stripTypeScriptTypes(source)
      .replace(/^import [\s\S]*?from '.*'$/m, '')
      .replace(/^export /gm, '')
  }
  const parts = await Promise.all(['contract/browser-messages.ts', 'payment-form/browser/parent-messages.ts'].map(read))
  return `${parts.join('\n')}
const { parent: origin, session: sessionId } = document.documentElement.dataset
window.received = []
window.respondsToClose = true
window.link = new URLSearchParams(location.search).has('silent') ? null : connectParent({
  origin, sessionId, content: document.querySelector('main'),
  onClose() {
    window.received.push('close')
    if (window.respondsToClose) window.link.result({ status: 'canceled', session_id: sessionId })
  },
  onScheme: (scheme) => window.received.push(scheme),
})`
}

async function readScript(name: string) {
  const folder = new URL(`../../build/browser-client/${name}/`, import.meta.url)
  const { script } = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8'))
  return { script, code: await readFile(new URL(script.file, folder), 'utf8') }
}
