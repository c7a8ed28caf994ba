import { type FrameMessage, type ParentMessage, readFrameMessage } from '../contract/browser-messages.ts'
import { showDialog, textsFor } from './dialog.ts'
import { ServiceCheckoutError } from './errors.ts'
import { createFrame, type Frame, showInContainer } from './frame.ts'
import { deliver, options } from './options.ts'
import type { CheckoutOutcome, ErrorCode, Phase } from './types.ts'

// Lifecycle of one open form, from its frame to its one result.

const LOAD_MS_MAX = 15_000
/** How long a form that is asked to close may take to report that a payment has just begun. */
const LAST_WORD_MS = 500

interface Opening {
  url: URL
  /** Empty if only the form knows it. */
  sessionId: string
  /** Element in which the form is embedded; `null` for the modal. */
  container: Element | null
}

export interface OpenCheckout extends Opening {
  phase: Phase
  /** Whether it is closed for the payer; until the phase is `finished` the form may still send a result. */
  isClosing: boolean
  opened: Deferred<void>
  outcome: Deferred<CheckoutOutcome>
  frame: Frame
  /** Hides the form, but keeps the frame alive, so that the form can still send its result. */
  hide(): void
  /** Removes every listener, timer and node. */
  release(): void
}

/** Forms in the page, including hidden ones that are closing. */
export const live = new Set<OpenCheckout>()

/** Returns the form that the payer sees. A form that the page removed with its container is destroyed here. */
export function shownCheckout(): OpenCheckout | undefined {
  const shown = [...live].find(({ isClosing }) => !isClosing)
  if (!shown || shown.frame.element.isConnected) return shown
  destroyCheckout(shown)
}

/**
 * Opens the form of a session.
 *
 * @param opener element that gets the focus back when the modal closes
 */
export function openCheckout(opening: Opening, opener: HTMLElement | null): OpenCheckout {
  const { url, container } = opening
  const { locale } = options
  const texts = textsFor(locale)
  if (locale) url.searchParams.set('locale', locale)
  const frame = createFrame(url, texts[0])
  const { element } = frame
  const surface = container
    ? showInContainer(element, container)
    : showDialog(element, texts, opener, () => closeCheckout(checkout))
  const listening = new AbortController()
  const checkout: OpenCheckout = {
    ...opening,
    phase: 'loading',
    isClosing: false,
    opened: deferred(),
    outcome: deferred(),
    frame,
    hide: surface.hide,
    release() {
      listening.abort()
      clearTimeout(watchdog)
      checkout.phase = 'finished'
      checkout.isClosing = true
      surface.hide()
      surface.root.remove()
      live.delete(checkout)
    },
  }
  const watchdog = setTimeout(failToLoad, LOAD_MS_MAX, checkout, 'frame_load_timeout')
  addEventListener('message', (event) => receive(checkout, event), listening)
  document.addEventListener('securitypolicyviolation', (event) => noticeBlock(checkout, event), listening)
  live.add(checkout)
  return checkout
}

/** Accepts messages from the form's own window on the form's own origin only. */
function receive(checkout: OpenCheckout, { isTrusted, origin, source, data }: MessageEvent): void {
  if (!isTrusted || origin !== checkout.url.origin || source !== checkout.frame.element.contentWindow) return
  const message = readFrameMessage(data)
  if (message) handle(checkout, message)
}

function handle(checkout: OpenCheckout, message: FrameMessage): void {
  if (message.type === 'rc:checkout_height') checkout.frame.follow(message.height)
  else if (message.type === 'rc:checkout_ready') becomeReady(checkout, message.session_id)
  else if (/loading|finished/.test(checkout.phase)) return
  else if (message.type === 'rc:checkout_result') readResult(checkout, message)
  else if (message.type === 'rc:checkout_state') {
    checkout.phase = message.phase
    if (checkout.isClosing) cancelWhenIdle(checkout)
  } else if (!checkout.container) closeCheckout(checkout)
}

/** Handles `ready`. A form that is loaded again, for example in another language, sends it again. */
function becomeReady(checkout: OpenCheckout, session_id: string): void {
  if (session_id !== (checkout.sessionId || session_id) || checkout.isClosing) return
  const { colorScheme } = options
  checkout.sessionId = session_id
  if (colorScheme) post(checkout, { type: 'rc:parent_theme_scheme', scheme: colorScheme })
  if (checkout.phase !== 'loading') return
  checkout.phase = 'ready'
  checkout.opened.resolve()
  if (!checkout.container) checkout.frame.element.focus()
  deliver('ready', { session_id })
}

function post({ frame, url }: OpenCheckout, message: ParentMessage): void {
  frame.element.contentWindow?.postMessage(message, url.origin)
}

function readResult(checkout: OpenCheckout, message: Extract<FrameMessage, { type: 'rc:checkout_result' }>): void {
  const { type: _type, v: _version, status, ...data } = message
  if (data.session_id === checkout.sessionId) finish(checkout, { status, data } as CheckoutOutcome)
}

/** Handles the result. A modal closes with its result, except after a failure: the payer wants to read the reason. */
function finish(checkout: OpenCheckout, outcome: CheckoutOutcome): void {
  const { status } = outcome
  checkout.phase = 'finished'
  if (checkout.isClosing || status === 'canceled' || (!checkout.container && status === 'succeeded')) checkout.release()
  checkout.outcome.resolve(outcome)
  deliver(status, outcome.data)
}

/**
 * Closes the form for the payer, and waits for its result: a click on Pay may have crossed the message.
 *
 * @returns false if a payment is running
 */
export function closeCheckout(checkout: OpenCheckout): boolean {
  const { phase } = checkout
  if (checkout.isClosing) return true
  if (/submitting|challenge/.test(phase)) return false
  if (phase === 'finished') checkout.release()
  else {
    checkout.isClosing = true
    checkout.hide()
    post(checkout, { type: 'rc:parent_close' })
    setTimeout(cancelWhenIdle, phase === 'loading' ? 0 : LAST_WORD_MS, checkout)
  }
  return true
}

function cancelWhenIdle(checkout: OpenCheckout): void {
  if (!/ready|loading/.test(checkout.phase)) return
  checkout.opened.reject(new ServiceCheckoutError('destroyed'))
  finish(checkout, { status: 'canceled', data: { session_id: checkout.sessionId } })
}

/** Ends the checkout at once, without a callback. */
export function destroyCheckout({ release, opened, outcome }: OpenCheckout): void {
  const error = new ServiceCheckoutError('destroyed')
  release()
  opened.reject(error)
  outcome.reject(error)
}

/** Ends a checkout whose form could not be shown: nothing was paid. */
function failToLoad(checkout: OpenCheckout, code: ErrorCode, message: string = code): void {
  const { sessionId } = checkout
  if (checkout.phase !== 'loading') return
  checkout.isClosing = true
  checkout.opened.reject(new ServiceCheckoutError(code, { message, sessionId }))
  finish(checkout, { status: 'failed', data: { message, error_code: code, session_id: sessionId } })
}

function noticeBlock(checkout: OpenCheckout, event: SecurityPolicyViolationEvent): void {
  const { origin } = checkout.url
  const isOurs = event.disposition === 'enforce' && event.effectiveDirective === 'frame-src'
  if (isOurs && event.blockedURI.startsWith(origin))
    failToLoad(checkout, 'frame_blocked', `CSP needs frame-src ${origin}`)
}

export interface Deferred<Value> {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a promise that is resolved from outside. Its rejection is never "unhandled", whether or not it is awaited.
 */
export function deferred<Value>(): Deferred<Value> {
  const made = {} as Deferred<Value>
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  made.promise.catch(() => {})
  return made
}
