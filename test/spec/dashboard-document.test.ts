import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DashboardAssets, documentHeaders } from '../../server/dashboard/document.ts'
import { newId } from '../../server/lib/ids.ts'
import { type Response, send } from '../support/merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// DSH-21, DSH-24: the one document of all pages, and its files.

const CODE = 'console.log("the dashboard")'
const bytes = (text: string) => Buffer.from(text)
const ASSETS: DashboardAssets = {
  begin: 'begin-abc.js',
  script: 'main-abc.js',
  preloads: ['react-abc.js'],
  styles: ['main-abc.css'],
  pages: {
    'sign-in': { scripts: ['sign-in-abc.js'], styles: [], texts: {} },
    'b/$business/home': { scripts: ['home-abc.js'], styles: [], texts: { es: ['es-abc.js'] } },
    'b/$business/payments/$id': { scripts: ['payment-abc.js'], styles: [], texts: {} },
    'b/$business/payments/new': { scripts: ['new-abc.js'], styles: ['new-abc.css'], texts: {} },
  },
  files: new Map([
    [
      'main-abc.js',
      {
        type: 'text/javascript; charset=utf-8',
        plain: bytes(CODE),
        gzip: bytes('gzip bytes'),
        brotli: bytes('brotli bytes'),
      },
    ],
  ]),
}

const policyOf = ({ headers }: Response) => headers.get('content-security-policy') ?? ''
const nonceOf = (response: Response) => /'nonce-([^']+)'/.exec(policyOf(response))?.[1] ?? ''

describe('The document of the dashboard', () => {
  let service: TestService
  let url: string
  before(async () => {
    service = await openService({ dashboard: ASSETS })
    url = service.formUrl
  })
  after(() => service.close())

  test('is the same for every page but for what a page loads, with a nonce of its own in each response', async () => {
    const paths = ['', '/sign-in', '/forgotten', '/reset', '/set-up', '/welcome', '/account', `/b/${newId()}`]
    const pages = [...paths, `/b/${newId()}/payments/${newId()}`].map((path) => `/dashboard${path}`)
    const responses = await Promise.all(pages.map((path) => send(`${url}${path}`)))
    deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    const nonces = responses.map(nonceOf)
    equal(new Set(nonces).size, pages.length)
    const bodies = responses.map(({ body }, index) =>
      String(body)
        .replaceAll(nonces[index] ?? '', '')
        .replaceAll(/<link rel="modulepreload".*>\n|<script type="module" async.*/g, ''),
    )
    equal(new Set(bodies).size, 1)
    match(bodies[0] ?? '', /<script type="module" src="\/dashboard\/assets\/main-abc\.js"><\/script>/)
  })

  test('names every script of its page, and for signed-in pages first what reads the session (DSH-22)', async () => {
    const loaded = async (path: string, language = 'en') => {
      const { body } = await send(`${url}/dashboard${path}`, { headers: { 'accept-language': language } })
      const tags = String(body).matchAll(/<(?:link rel="(\w+)"|script type="module"( async)?)[^>]*assets\/(.*?)"/g)
      return [...tags].map(([, rel, isAsync, file]) => `${rel ?? (isAsync ? 'async' : 'entry')} ${file}`)
    }
    const entry = ['stylesheet main-abc.css', 'modulepreload react-abc.js', 'entry main-abc.js']
    const shown = async (path: string, language?: string) =>
      (await loaded(path, language)).filter((file) => !entry.includes(file))
    deepEqual(await shown('/sign-in'), ['modulepreload sign-in-abc.js'])
    deepEqual(await shown('/forgotten'), [])
    deepEqual(await shown('/account'), ['async begin-abc.js'])
    const own = `/b/${newId()}`
    deepEqual(await shown(own), ['async begin-abc.js', 'modulepreload home-abc.js'])
    const spanish = await shown(`${own}/home`, 'es-MX')
    deepEqual(spanish, ['async begin-abc.js', 'modulepreload home-abc.js', 'modulepreload es-abc.js'])
    deepEqual((await shown(`${own}/payments/${newId()}`)).slice(1), ['modulepreload payment-abc.js'])
    deepEqual((await shown(`${own}/payments/new`)).slice(1), ['preload new-abc.css', 'modulepreload new-abc.js'])
    deepEqual((await shown(`${own}/payments/x/y`)).slice(1), [])
    deepEqual((await loaded('/nowhere')).sort(), [...entry].sort())
  })

  test('has the headers of its policy, and nothing that runs by itself (DEF-13)', async () => {
    const response = await send(`${url}/dashboard/sign-in`)
    const policy = policyOf(response).replaceAll(url, '{origin}').replace(nonceOf(response), '{nonce}')
    equal(
      policy,
      "default-src 'none'; script-src {origin}/dashboard/assets/; style-src {origin}/dashboard/assets/ " +
        "'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; connect-src {origin}/dashboard/; frame-src 'self'; " +
        "worker-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types default; report-to csp",
    )
    const names = [
      'cache-control',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
      'access-control-allow-origin',
      'set-cookie',
    ]
    deepEqual(
      names.map((name) => response.headers.get(name)),
      ['no-store', 'same-origin', 'same-origin', 'no-referrer', 'nosniff', 'DENY', null, null],
    )
    const features = (response.headers.get('permissions-policy') ?? '').split(', ').map((one) => one.split('='))
    const given = (to: string) => features.filter(([, whom]) => whom === to).map(([name]) => name)
    deepEqual(given('(self)'), ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write'])
    equal(given('()').length, features.length - 3)
    for (const name of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) ok(given('()').includes(name), name)
    equal(
      response.headers.get('reporting-endpoints'),
      `csp="${service.url.replace('127.0.0.1', 'localhost')}/csp-report"`,
    )
    const html = String(response.body)
    deepEqual(
      [...html.matchAll(/<script[^>]*>([^<]*)<\/script>/g)].map(([, code]) => code),
      [''],
    )
    ok(!/ on\w+=|javascript:|<style/i.test(html))
  })

  test('is opened by HTTPS from then on, where it has it (DEF-13)', () => {
    const header = (origin: string) =>
      documentHeaders({ nonce: 'n', origin, apiOrigin: origin })['strict-transport-security']
    equal(header('https://dash.example'), 'max-age=63072000; includeSubDomains; preload')
    equal(header('http://localhost:4001'), undefined)
  })

  test('speaks the language of the browser', async () => {
    const { body } = await send(`${url}/dashboard`, { headers: { 'accept-language': 'fr-FR,fr;q=0.9' } })
    match(String(body), /<html lang="fr-CA"/)
    match(String(body), /<html [^>]* data-api="http:\/\/[^"/]+">/)
  })

  test('has files from a fixed list, compressed as the browser takes them', async () => {
    const file = (accepted: string) =>
      fetch(`${url}/dashboard/assets/main-abc.js`, { headers: { 'accept-encoding': accepted } })
    const plain = await file('identity')
    deepEqual([plain.headers.get('content-encoding'), await plain.text()], [null, CODE])
    deepEqual(
      ['cache-control', 'vary', 'content-type'].map((name) => plain.headers.get(name)),
      ['public, max-age=31536000, immutable', 'accept-encoding', 'text/javascript; charset=utf-8'],
    )
    const encodings = { 'gzip, deflate, br': 'br', 'gzip;q=1, br;q=0': 'gzip', br: 'br' }
    for (const [accepted, expected] of Object.entries(encodings)) {
      // The body is not what its header says, so it is not read.
      const response = await file(accepted)
      equal(response.headers.get('content-encoding'), expected, accepted)
      await response.body?.cancel().catch(() => {})
    }
    for (const path of ['main-abd.js', '..%2f..%2fpackage.json', 'main-abc.js.map', 'manifest.json'])
      equal((await send(`${url}/dashboard/assets/${path}`)).status, 404, path)
  })

  test('is where the address of the form leads; unknown paths of the interface stay JSON', async () => {
    const { status, headers } = await send(`${url}/`, { redirect: 'manual' })
    deepEqual([status, headers.get('location')], [302, '/dashboard'])
    for (const path of ['/dashboard/api/nothing', '/dashboard/auth/nothing']) {
      const response = await send(`${url}${path}`)
      deepEqual([response.status, response.body.error.code], [404, 'resource_missing'])
    }
  })

  test('is also the response to an unknown page, as not found', async () => {
    const shown = await send(`${url}/dashboard/forgotten`)
    const bare = (response: Response) => String(response.body).replaceAll(nonceOf(response), '')
    for (const path of ['/dashboard/nowhere', '/dashboard/a/b/c', '/dashboard/b/nobody', '/dashboard/account/']) {
      const response = await send(`${url}${path}`)
      deepEqual([response.status, bare(response)], [404, bare(shown)], path)
      match(policyOf(response), /require-trusted-types-for 'script'/)
    }
    const other = await send(`${url}/dashboard/sign-in`, { method: 'POST', body: '{}' })
    equal(other.status, 405)
    ok(!String((await send(`${url}/nowhere`)).body).includes('/dashboard/assets/'))
  })
})

describe('Before the dashboard is built', () => {
  test('a page says so and opens it when it is there; one that nobody builds says what to do', async () => {
    let state: 'building' | 'missing' | DashboardAssets = 'building'
    await using service = await openService({ dashboard: () => state })
    const page = () => send(`${service.formUrl}/dashboard/account`)
    const building = await page()
    deepEqual([building.status, building.headers.get('retry-after')], [503, '2'])
    match(String(building.body), /<script src="\/dashboard\/assets\/waiting\.js" defer>/)
    state = 'missing'
    const missing = await page()
    equal(missing.status, 503)
    match(String(missing.body), /npm run build/)
    ok(!String(missing.body).includes('<script'))
    state = ASSETS
    equal((await page()).status, 200)
  })
})
