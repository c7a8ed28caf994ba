// The public face of the library. It imports nothing: this file becomes the package's declarations.

export type UiMode = 'hosted' | 'embedded' | 'rapid'

export type ErrorCode =
  | 'not_initialized'
  | 'invalid_options'
  | 'unsupported_environment'
  | 'already_open'
  | 'container_not_found'
  | 'network_error'
  | 'timeout'
  | 'unauthorized'
  | 'origin_mismatch'
  | 'validation_failed'
  | 'session_closed'
  | 'rate_limited'
  | 'frame_blocked'
  | 'frame_load_timeout'
  | 'max_attempts_reached'
  | 'payment_failed'
  | 'verify_failed'
  | 'destroyed'
  | 'server_error'

/** What a session is made from. Amounts are in major units with at most two decimals. */
export interface SessionInput {
  amount_total: number
  amount_subtotal?: number
  amount_tax?: number
  amount_discount?: number
  currency?: 'USD' | 'CAD'
  /** Refused with a browser token: your server binds that to the customer. */
  customer_id?: string
  customer_email?: string
  customer_name?: string
  /** Both URLs are on the origin that your OAuth client has registered. The modal needs none. */
  success_url?: string
  cancel_url?: string
  ui_mode?: UiMode
  mode?: 'payment' | 'subscription'
  description?: string
  client_reference_id?: string
  metadata?: Record<string, string | number | boolean>
  surcharge?: boolean
  line_items?: { name: string; quantity: number; unit_amount: number; total: number; image?: string }[]
  discounts?: { name?: string; code?: string; amount?: number; percent_off?: number }[]
  billing_address_collection?: 'auto' | 'required'
  shipping_address_collection?: 'auto' | 'required'
  consent_collection?: {
    terms_of_service?: 'required' | 'none'
    promotions?: 'auto' | 'none'
    payment_method_reuse_agreement?: { position: 'auto' | 'hidden' }
  }
  subscription?: {
    interval: 'Weekly' | 'Bi-Weekly' | 'Monthly' | 'Quarterly' | 'Twice a year' | 'Annual'
    start_date?: string
    name?: string
  }
}

/** A session as the API returns it; the whole create response works too. */
export interface CreatedSession {
  token: string
  checkout_url: string
  id?: string
  ui_mode?: UiMode
}

export interface SuccessResult {
  session_id: string
  transaction_id: string
  receipt_id: string
  /** Major units. */
  amount: number
  currency?: string
}

export interface CancelResult {
  session_id: string
}

export interface ErrorResult {
  message: string
  /** One of {@link ErrorCode}, or a code of the payment form that is newer than this library. */
  error_code: string
  session_id?: string
}

export type CheckoutOutcome =
  | { status: 'succeeded'; data: SuccessResult }
  | { status: 'canceled'; data: CancelResult }
  | { status: 'failed'; data: ErrorResult }

/**
 * What your server said of the session that came back, with whatever else it told. `pending`: not paid, perhaps never.
 */
export type ReturnOutcome =
  | { status: 'succeeded'; data: Partial<SuccessResult> }
  | { status: 'canceled' | 'pending'; data: Partial<CancelResult> }
  | { status: 'failed'; data: ErrorResult }

export interface InitOptions {
  businessId: string
  /** Where the API is: `https://api.example`. */
  apiBaseUrl: string
  /** A browser token (`rc_bt_…`), or better a function that fetches one. Never a secret key. */
  authToken?: string | (() => string | Promise<string>)
  /** Has your server create the session; then no token is needed in the browser. Recommended. */
  fetchSession?: (
    data: SessionInput,
  ) =>
    | CreatedSession
    | { checkout_session: CreatedSession }
    | Promise<CreatedSession | { checkout_session: CreatedSession }>
  /** Without it: `embedded` when there is a `containerId`, else `hosted`; `rapid` in rapid.js. */
  defaultUiMode?: UiMode
  /** The id of the element that the embedded form is put into. */
  containerId?: string
  /**
   * The origin of the payment form: `https://pay.example`. No other address is opened. The script that a service serves
   * at `/js/rialto-checkout.js` knows it, so there it may be left out.
   */
  checkoutOrigin: string
  /**
   * A path of your server: receives `{session_token}`, responds with `{session_status, payment_status}`, and the fields
   * of {@link SuccessResult} when `onSuccess` shall have them.
   */
  verifySessionUrl?: string
  /** Verifies on `init` when the page is a return page, and calls the callbacks. */
  autoVerify?: boolean
  /** `en`, `fr-CA` or `es`; the page's language without it. */
  locale?: string
  /** Only when your page decides by itself; else the form follows the payer's system. */
  colorScheme?: 'light' | 'dark'
  onReady?(event: CancelResult): void
  onSuccess?(result: SuccessResult): void
  onCancel?(result: CancelResult): void
  onError?(result: ErrorResult): void
}

export type Phase = 'idle' | 'creating' | 'loading' | 'ready' | 'submitting' | 'challenge' | 'finished'

export interface CheckoutHandle {
  /** Empty until the form is ready when your server gave no `id`. */
  readonly sessionId: string
  readonly uiMode: UiMode
  /** Resolves when the form can be used; rejects when it cannot be shown. */
  readonly opened: Promise<void>
  /** How it ended, declines included; rejects with `destroyed` only. */
  readonly outcome: Promise<CheckoutOutcome>
  close(): boolean
}

export interface ServiceCheckoutStatic {
  /**
   * Keeps the options. Sends nothing.
   *
   * @throws ServiceCheckoutError `invalid_options` naming the option; `already_open` for other options while one is
   * open
   */
  init(options: InitOptions): ServiceCheckoutStatic
  /**
   * Creates a session and opens its form. In mode `hosted` the page leaves, and the promise never resolves.
   *
   * @throws ServiceCheckoutError as rejection
   */
  create(data: SessionInput): Promise<CheckoutHandle>
  /**
   * Opens a session that your server has made.
   *
   * @throws ServiceCheckoutError at once
   */
  open(session: CreatedSession & { ui_mode: UiMode }): CheckoutHandle
  /** @returns false when a payment runs: then nothing closes */
  close(): boolean
  /** Ends all at once and without a callback. Options are kept. */
  destroy(): void
  /** CSS pixels, held until `'auto'`. */
  setHeight(height: number | 'auto'): void
  getState(): { isOpen: boolean; sessionId: string | null; phase: Phase }
  /**
   * On the success or cancel page: asks your server how the session stands, and calls the callbacks.
   *
   * @returns `null` when the page was not returned to
   * @throws ServiceCheckoutError `verify_failed`, `invalid_options`, as rejection
   */
  handleReturnPage(): Promise<ReturnOutcome | null>
  readonly version: string
}
