import { randomBytes } from 'node:crypto'
import Negotiator from 'negotiator'
import { pageLocale } from '../checkout/form/page-locale.ts'
import type { Family } from '../http/family.ts'
import { type Call, publicAccess, type Reply, type Route, route } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { type AssetFile, type DashboardState, dashboardDocument, documentHeaders } from './document.ts'
import { WAITING_SCRIPT, waitingDocument, waitingScript } from './waiting-document.ts'

interface DocumentParts {
  /** Of the pages that are not found: that of the listener. */
  family: Family
  environment: 'staging' | 'production'
  /** Where the dashboard is. */
  dashboardOrigin: string
  apiOrigin: string
  /** Looked at with each request, because the build may end after the start. */
  state(): DashboardState
}

/** Below /dashboard. */
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

/** The dashboard's pages, which are one document, and its files. */
export function documentRoutes(parts: DocumentParts): Route[] {
  const shared = { method: 'GET', family: parts.family, access: publicAccess, browsers: 'anywhere' } as const
  const pages = PAGES.map((path) =>
    route({ ...shared, path: `/dashboard${path}`, handle: (call) => showDocument(parts, call) }),
  )
  const asset = route({ ...shared, path: '/dashboard/assets/{asset}', handle: (call) => sendAsset(parts, call) })
  const root = route({
    ...shared,
    path: '/',
    handle: () => ({ status: 302, headers: { location: '/dashboard' }, body: '' }),
  })
  return [...pages, asset, root]
}

type AnyCall = Call<unknown, unknown, unknown>

function showDocument({ state, environment, dashboardOrigin, apiOrigin }: DocumentParts, call: AnyCall): Reply {
  const nonce = randomBytes(18).toString('base64url')
  const locale = pageLocale(undefined, call.acceptLanguage, null)
  const headers = documentHeaders({ nonce, origin: dashboardOrigin, apiOrigin })
  const assets = state()
  if (typeof assets !== 'string')
    return { headers, body: dashboardDocument(assets, { nonce, locale, environment, apiOrigin }) }
  const wait = assets === 'building' ? { 'retry-after': '2' } : {}
  return { status: 503, headers: { ...headers, ...wait }, body: waitingDocument(assets, { locale, nonce }) }
}

/** The name contains a hash of the content, so the content never changes. */
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
