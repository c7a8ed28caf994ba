import { randomBytes } from 'node:crypto'
import type { UiMode } from '../../../contract/checkout-session.ts'
import {
  LOCALES,
  type Locale,
  type PaymentPageHeaders,
  type PaymentPageView,
  type RenderPaymentPage,
} from '../../../contract/payment-page.ts'
import { pageLocale } from '../form/page-locale.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { SessionTokens } from '../sessions/session-token.ts'
import type { Links } from '../sessions/session-view.ts'

/** Path at `{WALLET_URL}` of the frame with the Google Pay button. */
export const BUTTON_PATH = '/google-pay/button'

export interface BuiltScript {
  file: string
  integrity: string
  code: Buffer
}

/** The only script of the page, and `wallet`, the script of the wallet's frame, which the page itself never loads. */
export interface PageAssets extends BuiltScript {
  wallet: BuiltScript
}

/** The services that render a page. */
export interface PageServices {
  render: RenderPaymentPage
  headers: PaymentPageHeaders
  assets: PageAssets
  baseUrl: string
  walletUrl: string
  walletFrames: SessionTokens
  links: Links
}

/** `lang` is the former name of `locale`. */
interface PageQuery {
  locale?: string
  lang?: string
}

/** Parts of a request that a page needs. */
export interface PageCall {
  params: Record<string, string>
  query: PageQuery
  acceptLanguage: string | null
}

export interface PageReply {
  status?: number
  headers: Record<string, string>
  body: string
}

export const pageLocaleOf = (call: PageCall, loaded: LoadedSession | null) =>
  pageLocale(call.query.locale ?? call.query.lang, call.acceptLanguage, loaded?.business.locale ?? null)

export type PageState = PaymentPageView extends infer View
  ? View extends { state: string }
    ? Omit<View, keyof Frame>
    : never
  : never
type Frame = Pick<
  PaymentPageView,
  'locale' | 'surface' | 'nonce' | 'script' | 'languageLinks' | 'parent' | 'walletFrame'
>

export function html(
  services: PageServices,
  call: PageCall,
  loaded: LoadedSession | null,
  state: PageState,
): PageReply {
  const { assets, links, baseUrl, headers, render } = services
  const surface: UiMode = loaded?.session.uiMode ?? 'hosted'
  const nonce = randomBytes(16).toString('base64')
  const url = `${links.dashboardUrl}/assets/${assets.file}`
  const parent = parentOf(loaded)
  const takesScript = parent !== null || state.state === 'open' || state.state === 'checking'
  const languageLinks = LOCALES.map((locale) => ({ locale, href: `?locale=${locale}` }))
  const locale = pageLocaleOf(call, loaded)
  const walletFrame = loaded && paysByWallet(state) ? walletFrameUrl(services, loaded, locale) : null
  const frame: Frame = {
    locale,
    surface,
    nonce,
    script: takesScript ? { url, integrity: assets.integrity } : null,
    languageLinks,
    parent,
    walletFrame,
  }
  return {
    headers: headers({
      surface,
      nonce,
      scriptUrl: takesScript ? url : null,
      apiOrigin: new URL(baseUrl).origin,
      parentOrigin: parent?.origin ?? null,
      hasImages: loaded !== null && showsImages(loaded),
      frameOrigins: [...frameOriginsOf(state), ...(walletFrame === null ? [] : [services.walletUrl])],
      isHttps: links.dashboardUrl.startsWith('https:'),
    }),
    body: render({ ...frame, ...state } as PaymentPageView),
  }
}

/** Returns the page around the form. It is built from the session's row, never from the request. */
function parentOf(loaded: LoadedSession | null): Frame['parent'] {
  if (!loaded || loaded.session.uiMode === 'hosted') return null
  return { origin: loaded.session.parentOrigin, sessionId: loaded.session.id }
}

/** Returns the origins of frames. The documents that lead to the bank have the page's own origin. @see TDS-5 */
const frameOriginsOf = (state: PageState) => ('data' in state && state.data.three_ds.enabled ? ["'self'"] : [])

const paysByWallet = (state: PageState) => 'data' in state && state.data.payment_methods.google_pay.enabled

/** Returns the URL of the wallet's frame. Its token only names the session to the frame and opens nothing else. */
function walletFrameUrl({ walletUrl, walletFrames }: PageServices, { session }: LoadedSession, locale: Locale): string {
  return `${walletUrl}${BUTTON_PATH}?${new URLSearchParams({ frame: walletFrames.make(session), locale })}`
}

const showsImages = ({ session }: LoadedSession) => (session.lineItems ?? []).some(({ image }) => image !== undefined)
