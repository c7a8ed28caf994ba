import { html } from 'ghtml'
import type { Locale } from '../../contract/payment-page.ts'

/** A built file, both plain and compressed. */
export interface AssetFile {
  type: string
  plain: Buffer
  gzip: Buffer
  brotli: Buffer
}

/** The built pages and their files. */
export interface DashboardAssets {
  /** Script that reads the session while the others are loading. */
  begin: string
  /** Entry script. */
  script: string
  /** Scripts that the entry imports statically. */
  preloads: string[]
  styles: string[]
  /** What a page needs in addition, by its path below `/dashboard`, such as `b/$business/payments/$id`. */
  pages: Record<string, PageAssets>
  files: ReadonlyMap<string, AssetFile>
}

interface PageAssets {
  scripts: string[]
  styles: string[]
  /** Scripts with the texts of each locale. English has none of its own. */
  texts: Record<string, string[]>
}

/** The built files; `building` if they will soon exist; `missing` if nobody builds them here. */
export type DashboardState = DashboardAssets | 'building' | 'missing'

interface DocumentInput {
  nonce: string
  /** Path of the page below `/dashboard`, such as `sign-in`; `null` for a document that is not one of the pages. */
  path: string | null
  locale: Locale
  environment: 'staging' | 'production'
  /** Origin of the API, where its reference is. */
  apiOrigin: string
}

/** Path of the built files. */
export const ASSETS = '/dashboard/assets'

/**
 * Renders the document of a page. All pages have the same entry; the document names what the page loads in addition. It
 * has no inline script, and nothing about the person who opens it.
 */
export function dashboardDocument(
  assets: DashboardAssets,
  { nonce, path, locale, environment, apiOrigin }: DocumentInput,
): string {
  const isStaging = environment === 'staging'
  const page = path === null ? undefined : pageOf(assets.pages, path)
  const preloads = [...assets.preloads, ...(page?.scripts ?? []), ...(page?.texts[locale] ?? [])]
  // A public page does not read a session.
  const begins = path !== null && (path === '' || path === 'account' || path.startsWith('b/'))
  return html`<!doctype html>
<html lang="${locale}" data-environment="${environment}" data-api="${apiOrigin}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>${isStaging ? '[staging] ' : ''}Rialto</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon(isStaging))}">
!${begins ? `<script type="module" async src="${ASSETS}/${assets.begin}"></script>` : ''}
!${assets.styles.map((file) => `<link rel="stylesheet" href="${ASSETS}/${file}">`)}
!${(page?.styles ?? []).map((file) => `<link rel="preload" as="style" crossorigin href="${ASSETS}/${file}">`)}
!${preloads.map((file) => `<link rel="modulepreload" href="${ASSETS}/${file}">`)}
<script type="module" src="${ASSETS}/${assets.script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>${NEEDS_SCRIPT[locale]}</noscript>
</body>
</html>
`
}

/**
 * Finds the page for a path. If several match, it is the one with the fewest parameters, as in the router of the pages.
 */
function pageOf(pages: DashboardAssets['pages'], path: string): PageAssets | undefined {
  const parts = path.split('/')
  const fits = ([pattern]: [string, PageAssets]) => {
    const wanted = pattern.split('/')
    return wanted.length === parts.length && wanted.every((one, at) => one.startsWith('$') || one === parts[at])
  }
  const parameters = ([pattern]: [string, PageAssets]) => pattern.split('$').length
  return Object.entries(pages)
    .filter(fits)
    .sort((one, other) => parameters(one) - parameters(other))[0]?.[1]
}

const icon = (isStaging: boolean) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${
    isStaging ? '#d9480f' : '#3747ab'
  }"/><text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle" fill="#fff">${
    isStaging ? 'S' : 'R'
  }</text></svg>`

const NEEDS_SCRIPT: Record<Locale, string> = {
  en: 'The dashboard needs JavaScript.',
  'fr-CA': 'Le tableau de bord a besoin de JavaScript.',
  es: 'El panel necesita JavaScript.',
}

interface HeadersInput {
  nonce: string
  /** Origin of the dashboard. */
  origin: string
  /** Origin that browsers report violations to. */
  apiOrigin: string
}

/** Every feature that a page could ask for and these pages do not. */
const FEATURES_OFF = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
]
const FEATURES_ON = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write']

/** @see DSH-21 */
export function documentHeaders({ nonce, origin, apiOrigin }: HeadersInput): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${origin}${ASSETS}/`,
      `style-src ${origin}${ASSETS}/ 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${origin}/dashboard/`,
      "frame-src 'self'",
      "worker-src 'none'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types default',
      'report-to csp',
    ].join('; '),
    'reporting-endpoints': `csp="${apiOrigin}/csp-report"`,
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': [
      ...FEATURES_ON.map((name) => `${name}=(self)`),
      ...FEATURES_OFF.map((name) => `${name}=()`),
    ].join(', '),
    ...(origin.startsWith('https:') && {
      'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
    }),
  }
}
