import { pageLocale } from '../form/page-locale.ts'
import type { Links } from '../sessions/session-view.ts'
import { type BankForm, bridgeDocument, type DocumentFrame, returnDocument } from './bridge-document.ts'
import { bridgeHeaders, returnHeaders } from './bridge-headers.ts'
import type { FoundStep } from './bridge-lookup.ts'

/** Parts of a request that a document needs. */
export interface BridgeCall {
  /** `ddd_session_id`; empty if the path has none. */
  id: string
  /** Value of `?locale=`. */
  locale: unknown
  acceptLanguage: string | null
}

export interface BridgeReply {
  status: number
  headers: Record<string, string>
  body: string
}

/** @param returnUrl URL to which the bank's page posts the browser back */
export function bridgeReply(
  links: Links,
  call: BridgeCall,
  step: FoundStep,
  form: BankForm,
  returnUrl: string,
): BridgeReply {
  return {
    status: 200,
    headers: bridgeHeaders(framing(links, step), { bankOrigin: form.bankOrigin, returnUrl }),
    body: bridgeDocument(frame(links, call, step), form),
  }
}

/** @param step `null` if the session is unknown; then no merchant's page may frame the document */
export function returnReply(
  links: Links,
  call: BridgeCall,
  step: FoundStep | null,
  { status, text }: { status: number; text: 'returned' | 'over' },
): BridgeReply {
  const headers = returnHeaders(framing(links, step))
  return { status, headers, body: returnDocument(frame(links, call, step), text) }
}

const framing = ({ dashboardUrl }: Links, step: FoundStep | null) => ({
  merchantOrigin: step?.merchantOrigin ?? null,
  isHttps: dashboardUrl.startsWith('https:'),
})

const frame = (
  { dashboardUrl }: Links,
  { id, locale, acceptLanguage }: BridgeCall,
  step: FoundStep | null,
): DocumentFrame => ({
  locale: pageLocale(locale, acceptLanguage, step?.businessLocale ?? null),
  id,
  origin: new URL(dashboardUrl).origin,
})
