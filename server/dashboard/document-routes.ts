import { randomBytes } from 'node:crypto'
import Negotiator from 'negotiator'
import { pageLocale } from '../checkout/form/page-locale.ts'
import type { Family } from '../http/family.ts'
import { type Call, publicAccess, type Reply, type Route, route } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { type AssetFile, type DashboardState, dashboardDocument, documentHeaders } from './document.ts'
import { WAITING_SCRIPT, waitingDocument, waitingScript } from './waiting-document.ts'

interface DocumentParts {
  /** Family of the listener, which decides the form of refusals that are not pages of the dashboard. */
  family: Family
  environment: 'staging' | 'production'
  /** Origin of the dashboard. */
  dashboardOrigin: string
  /** Whether the payment form is on another host than the dashboard. */
  hasOwnHost: boolean
  apiOrigin: string
  /** Returns the current state, on each request, because the build may finish after the start. */
  state(): DashboardState
}

/** Routes of the pages, below `/dashboard`. */
const PAGES = [
  '',
  '/sign-in',
  '/forgotten',
  '/reset',
  '/set-up',
  '/welcome',
  '/account',
  '/b/{business_id}',
  '/b/{business_id}/*',
]

/** Returns the routes of the dashboard's files, and of its pages, which are one document. */
export function documentRoutes(parts: DocumentParts): Route[] {
  const shared = { method: 'GET', family: parts.family, access: publicAccess, browsers: 'anywhere' } as const
  const pages = PAGES.map((path) =>
    route({
      ...shared,
      path: `/dashboard${path}`,
      handle: (call) => showDocument(parts, call.acceptLanguage, pathOf(path, call.params)),
    }),
  )
  const asset = route({ ...shared, path: '/dashboard/assets/{asset}', handle: (call) => sendAsset(parts, call) })
  const root = route({
    ...shared,
    path: '/',
    handle: () => ({ status: 302, headers: { location: '/dashboard' }, body: '' }),
  })
  return [...pages, asset, root]
}

/** Returns the path of a page below `/dashboard`; a business opens with its home. */
const pathOf = (route: string, { business_id: business, '*': rest }: Record<string, string>): string =>
  business === undefined ? route.slice(1) : `b/${business}/${rest ?? 'home'}`

/**
 * Returns the family of the paths below `/dashboard` that no route takes. It responds with the document of the
 * dashboard and status 404, and the document's script says that there is no such page. On a host other than the
 * dashboard's, that host's family responds.
 */
export function unknownPages(parts: DocumentParts): Family {
  const { host } = new URL(parts.dashboardOrigin)
  return {
    ...parts.family,
    envelope(refusal, request) {
      const isHere = !parts.hasOwnHost || request.headers.host === host
      if (refusal.status !== 404 || !isHere) return parts.family.envelope(refusal, request)
      const { headers, body } = showDocument(parts, request.headers['accept-language'] ?? null)
      return { headers, body }
    },
  }
}

interface ShownDocument {
  /** 503 until the dashboard is built. */
  status: 200 | 503
  headers: Record<string, string>
  body: string
}

/** Responds with the document and a fresh nonce, or, before the dashboard is built, with a page that waits for it. */
function showDocument(
  { state, environment, dashboardOrigin, apiOrigin }: DocumentParts,
  acceptLanguage: string | null,
  path: string | null = null,
): ShownDocument {
  const nonce = randomBytes(18).toString('base64url')
  const locale = pageLocale(undefined, acceptLanguage, null)
  const headers = documentHeaders({ nonce, origin: dashboardOrigin, apiOrigin })
  const assets = state()
  if (typeof assets !== 'string')
    return { status: 200, headers, body: dashboardDocument(assets, { nonce, path, locale, environment, apiOrigin }) }
  const wait = assets === 'building' ? { 'retry-after': '2' } : {}
  return { status: 503, headers: { ...headers, ...wait }, body: waitingDocument(assets, { locale, nonce }) }
}

type AnyCall = Call<unknown, unknown, unknown>

/** Headers of a built file. Its name contains a hash of the content, so the content never changes. */
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
}

function sendAsset({ state }: DocumentParts, { params, acceptEncoding }: AnyCall): Reply {
  if (params.asset === WAITING_SCRIPT) return waitingScript
  const assets = state()
  const file = typeof assets === 'string' ? undefined : assets.files.get(params.asset ?? '')
  if (!file) throw new ApiError('not_found', { message: 'No such path' })
  const [encoding, body] = encoded(file, acceptEncoding)
  const headers = { ...ASSET_HEADERS, 'content-type': file.type, ...(encoding && { 'content-encoding': encoding }) }
  return { headers, body }
}

function encoded({ plain, gzip, brotli }: AssetFile, accepted: string | null): [encoding: string | null, body: Buffer] {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted ?? 'identity' } })
  const encodings = negotiator.encodings(['br', 'gzip', 'identity'])
  if (encodings.includes('br')) return ['br', brotli]
  return encodings.includes('gzip') ? ['gzip', gzip] : [null, plain]
}
