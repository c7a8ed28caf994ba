import type { CheckoutFormData, FormBusiness, SessionPayment } from './checkout-form.ts'
import type { UiMode } from './checkout-session.ts'

// The view that the server hands to payment-form/ to be rendered as HTML.

export const LOCALES = ['en', 'fr-CA', 'es'] as const
export type Locale = (typeof LOCALES)[number]

/** What every state of the page needs. */
export interface PageFrame {
  locale: Locale
  surface: UiMode
  /** Of this response's Content-Security-Policy, for the one `<style>`. */
  nonce: string
  /** The one script, and its sha384 for `integrity`; `null` on pages that need none. */
  script: { url: string; integrity: string } | null
  /** The same page in the other languages, for the switch. */
  languageLinks: { locale: Locale; href: string }[]
  /** The one origin that may frame the page, and the session it is told of; `null` when nobody may. */
  parent: { origin: string; sessionId: string } | null
}

/** What a payer without JavaScript typed, and why it was refused: shown on the form again (never the card fields). */
export interface FormRefusal {
  /** Result code or error code; the page owns the text. */
  code: string
  attemptsLeft: number | null
  /** When trying again makes sense; absent when at once. */
  retryAfterSeconds?: number
  errors: Record<string, string[]>
}

/** The receipt repeats it: `rate` in percent, `amount` as text. */
export interface ReceiptSurcharge {
  rate: number
  amount: string
}

export type PaymentPageView = PageFrame &
  (
    | { state: 'open'; token: string; apiBaseUrl: string; data: CheckoutFormData; refusal: FormRefusal | null }
    /** The gateway is silent or a payment runs in another tab: the page asks until it knows. */
    | { state: 'checking'; token: string; apiBaseUrl: string; data: CheckoutFormData }
    | {
        state: 'approved'
        business: FormBusiness
        receiptId: string
        amount: string
        surcharge?: ReceiptSurcharge | null
        payment?: SessionPayment
        returnUrl: string
      }
    | { state: 'paid'; business: FormBusiness; returnUrl: string | null; payment?: SessionPayment }
    | { state: 'expired'; business: FormBusiness; returnUrl: string | null }
    | { state: 'cancelled'; business: FormBusiness; returnUrl: string | null }
    | { state: 'failed'; business: FormBusiness; returnUrl: string | null }
    | { state: 'not_found' }
    | { state: 'error'; retryAfterSeconds: number | null }
  )

/** Renders a whole HTML document, `<!doctype html>` first. A pure function. */
export type RenderPaymentPage = (view: PaymentPageView) => string

/** What the security headers of the page depend on. */
export interface PageHeadersInput {
  surface: UiMode
  /** Of the `<style>`; a new one for each response. */
  nonce: string
  /** The absolute URL of the one script, or `null` on a page without one. */
  scriptUrl: string | null
  /** Where the page may send the payment: the origin of the API. */
  apiOrigin: string
  /** The only origin that may frame an embedded or rapid page; `null` is nobody. Never taken from the request. */
  parentOrigin: string | null
  /** Item images are foreign, so they are allowed only on a page that shows some. */
  hasImages: boolean
  /** `true` when the page itself is served over HTTPS. */
  isHttps: boolean
}

export type PaymentPageHeaders = (input: PageHeadersInput) => Record<string, string>
