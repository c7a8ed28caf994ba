// The public types of the library. This file imports nothing: it becomes the package's declarations.

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

/** Input for a new session. Amounts are in major units with at most two decimals. */
export interface SessionInput {
  amount_total: number
  amount_subtotal?: number
  amount_tax?: number
  amount_discount?: number
  currency?: 'USD' | 'CAD'
  /** Refused with a browser token: your server binds the token to the customer. */
  customer_id?: string
  customer_email?: string
  customer_name?: string
  /** Both URLs are on the origin that your OAuth client has registered. The modal does not need them. */
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

/** A session as the API returns it; the complete response of its creation works too. */
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
  /** Amount in major units. */
  amount: number
  currency?: string
}

export interface CancelResult {
  session_id: string
}

export interface ErrorResult {
  message: string
  /** One of {@link ErrorCode}, or a newer code of the payment form that this version does not know. */
  error_code: string
  session_id?: string
}

export type CheckoutOutcome =
  | { status: 'succeeded'; data: SuccessResult }
  | { status: 'canceled'; data: CancelResult }
  | { status: 'failed'; data: ErrorResult }

/** Response of your server about the returned session, with any further members. `pending`: not paid, perhaps never. */
export type ReturnOutcome =
  | { status: 'succeeded'; data: Partial<SuccessResult> }
  | { status: 'canceled' | 'pending'; data: Partial<CancelResult> }
  | { status: 'failed'; data: ErrorResult }

export interface InitOptions {
  businessId: string
  /** Base URL of the API: `https://api.example`. */
  apiBaseUrl: string
  /** A browser token (`rc_bt_…`), or better a function that fetches one. Never a secret key. */
  authToken?: string | (() => string | Promise<string>)
  /** Requests the session from your server; then no token is needed in the browser. Recommended. */
  fetchSession?: (
    data: SessionInput,
  ) =>
    | CreatedSession
    | { checkout_session: CreatedSession }
    | Promise<CreatedSession | { checkout_session: CreatedSession }>
  /** Default: `embedded` if there is a `containerId`, otherwise `hosted`; `rapid` in rapid.js. */
  defaultUiMode?: UiMode
  /** Id of the element that will contain the embedded form. */
  containerId?: string
  /**
   * The origin of the payment form: `https://pay.example`. No other URL is opened. It may be omitted with the script
   * that a service serves at `/js/rialto-checkout.js`, which contains it.
   */
  checkoutOrigin: string
  /**
   * A path of your server: receives `{session_token}`, responds with `{session_status, payment_status}`, and with the
   * fields of {@link SuccessResult} if `onSuccess` needs them.
   */
  verifySessionUrl?: string
  /** Whether `init` verifies a return page and calls the callbacks. */
  autoVerify?: boolean
  /** `en`, `fr-CA` or `es`; by default the page's language. */
  locale?: string
  /** Set it only if your page has its own scheme; otherwise the form follows the payer's system. */
  colorScheme?: 'light' | 'dark'
  onReady?(event: CancelResult): void
  onSuccess?(result: SuccessResult): void
  onCancel?(result: CancelResult): void
  onError?(result: ErrorResult): void
}

export type Phase = 'idle' | 'creating' | 'loading' | 'ready' | 'submitting' | 'challenge' | 'finished'

export interface CheckoutHandle {
  /** Empty until the form is ready, if your server returned no `id`. */
  readonly sessionId: string
  readonly uiMode: UiMode
  /** Resolves when the form can be used; rejects when it cannot be shown. */
  readonly opened: Promise<void>
  /** Result of the session, including declines; rejects with `destroyed` only. */
  readonly outcome: Promise<CheckoutOutcome>
  close(): boolean
}

export interface ServiceCheckoutStatic {
  /**
   * Stores the options. Sends nothing.
   *
   * @throws ServiceCheckoutError `invalid_options` that names the option; `already_open` for different options while a
   * form is open
   */
  init(options: InitOptions): ServiceCheckoutStatic
  /**
   * Creates a session and opens its form. In mode `hosted` the browser leaves the page, and the promise never resolves.
   *
   * @throws ServiceCheckoutError as rejection
   */
  create(data: SessionInput): Promise<CheckoutHandle>
  /**
   * Opens a session that your server has created.
   *
   * @throws ServiceCheckoutError synchronously
   */
  open(session: CreatedSession & { ui_mode: UiMode }): CheckoutHandle
  /** @returns false if a payment is running: then nothing closes */
  close(): boolean
  /** Ends everything at once and without a callback. Options are preserved. */
  destroy(): void
  /** Sets the height in CSS pixels; it stays fixed until `'auto'`. */
  setHeight(height: number | 'auto'): void
  getState(): { isOpen: boolean; sessionId: string | null; phase: Phase }
  /**
   * On the success or cancel page: requests the state of the session from your server, and calls the callbacks.
   *
   * @returns `null` if this is not a return page
   * @throws ServiceCheckoutError `verify_failed`, `invalid_options`, as rejection
   */
  handleReturnPage(): Promise<ReturnOutcome | null>
  readonly version: string
}
