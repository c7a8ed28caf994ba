import type { CheckoutFormData, FormBusiness, SessionPayment } from './checkout-form.ts'
import type { UiMode } from './checkout-session.ts'

// The view that the server passes to payment-form/, which renders it as HTML.

export const LOCALES = ['en', 'fr-CA', 'es'] as const
export type Locale = (typeof LOCALES)[number]

/** Data that every state of the page needs. */
export interface PageFrame {
  locale: Locale
  surface: UiMode
  /** The nonce of this response's Content-Security-Policy, for the only `<style>`. */
  nonce: string
  /** The only script, with its sha384 for `integrity`; `null` on pages without a script. */
  script: { url: string; integrity: string } | null
  /** The same page in the other languages, for the language switch. */
  languageLinks: { locale: Locale; href: string }[]
  /** The only origin that may frame the page, and the session whose messages it receives; `null` if none may. */
  parent: { origin: string; sessionId: string } | null
  /** URL of the document with the Google Pay button; absent or `null` if the session cannot be paid with Google Pay. */
  walletFrame?: string | null
}

/** Why a post without JavaScript was refused; the form shows it. Card fields are never shown again. */
export interface FormRefusal {
  /** Result code or error code; the page chooses the text. */
  code: string
  attemptsLeft: number | null
  /** Seconds to wait before another attempt; absent when none are needed. */
  retryAfterSeconds?: number
  /** The payer's choice as posted; the page keeps it. */
  paymentMethod?: string
  errors: Record<string, string[]>
}

/** Shown on the receipt: `rate` in percent, `amount` as text. */
export interface ReceiptSurcharge {
  rate: number
  amount: string
}

/** What happened to a verified card: it replaces the card of a running plan, or is stored for the customer. */
export type SavedCard = 'replaced' | 'stored'

export type PaymentPageView = PageFrame &
  (
    | {
        state: 'open'
        token: string
        apiBaseUrl: string
        data: CheckoutFormData
        /** The session has an e-mail address that the page may not show. */
        hasEmail?: boolean
        refusal: FormRefusal | null
      }
    /** The outcome is unknown, or a payment is running in another tab: the page polls until the outcome is known. */
    | { state: 'checking'; token: string; apiBaseUrl: string; data: CheckoutFormData; hasEmail?: boolean }
    | {
        state: 'approved'
        business: FormBusiness
        receiptId: string
        amount: string
        surcharge?: ReceiptSurcharge | null
        /** The card was verified for a plan that begins later: nothing was charged. */
        isPlan?: boolean
        savedCard?: SavedCard | null
        payment?: SessionPayment
        /** `null` if no shop waits for the payer: the page stays. */
        returnUrl: string | null
      }
    | {
        state: 'paid'
        business: FormBusiness
        isPlan?: boolean
        savedCard?: SavedCard | null
        returnUrl: string | null
        payment?: SessionPayment
      }
    /**
     * `isLink`: the page of a link that opens a new session. `isCardLink`: the page of an ended link to store a card.
     */
    | { state: 'expired'; business: FormBusiness; isLink?: boolean; isCardLink?: boolean; returnUrl: string | null }
    | { state: 'cancelled'; business: FormBusiness; isCardLink?: boolean; returnUrl: string | null }
    | { state: 'failed'; business: FormBusiness; returnUrl: string | null }
    /** `missing`: fields that the post lacks. */
    | { state: 'contract'; business: FormBusiness; contract: PageContract; missing: ('name' | 'agreement')[] }
    | { state: 'not_found' }
    | { state: 'error'; retryAfterSeconds: number | null }
  )

/** A contract as its page shows it. A draft cannot be signed yet. */
export interface PageContract {
  title: string
  /** Text with lines and paragraphs as the merchant wrote them. */
  text: string
  status: 'draft' | 'sent' | 'signed'
}

/** Renders a complete HTML document that begins with `<!doctype html>`. A pure function. */
export type RenderPaymentPage = (view: PaymentPageView) => string

/** The input of the page's security headers. */
export interface PageHeadersInput {
  surface: UiMode
  /** Nonce for the `<style>`; a new one for each response. */
  nonce: string
  /** The absolute URL of the only script; `null` on a page without a script. */
  scriptUrl: string | null
  /** The origin of the API, to which the page may send the payment. */
  apiOrigin: string
  /** The only origin that may frame an embedded or rapid page; `null` for none. Never taken from the request. */
  parentOrigin: string | null
  /** Item images come from other origins, so they are allowed only on a page that shows some. */
  hasImages: boolean
  /**
   * What the page may frame: `'self'` (with its quotes) if 3-D Secure may run, and the origins to which payment is
   * delegated.
   */
  frameOrigins: string[]
  /** `true` if the page itself is served over HTTPS. */
  isHttps: boolean
}

export type PaymentPageHeaders = (input: PageHeadersInput) => Record<string, string>
