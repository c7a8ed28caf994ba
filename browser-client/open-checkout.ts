import { type FrameMessage, type ParentMessage, readFrameMessage } from '../contract/browser-messages.ts'
import { type Deferred, deferred } from './deferred.ts'
import { showDialog } from './dialog.ts'
import { ServiceCheckoutError } from './errors.ts'
import { createFrame, type Frame } from './frame.ts'
import { type Surface, showInContainer } from './surface.ts'
import { textsFor } from './texts.ts'
import type { CheckoutOutcome, ErrorCode, InitOptions, Phase } from './types.ts'

// The life of one open form, from its frame to its one result.

const LOAD_MS_MAX = 15_000
/** How long a form that is asked to close may take to say that a payment has begun in that very moment. */
const LAST_WORD_MS = 500

export interface Opening {
  url: URL
  uiMode: 'embedded' | 'rapid'
  /** Empty when only the form knows it. */
  sessionId: string
  /** For mode `embedded`. */
  container: Element | null
  /** Gets the focus back when the modal closes. */
  opener: HTMLElement | null
  options: Partial<InitOptions>
  onReady(): void
  /** At most once; never after {@link destroyCheckout}. */
  onOutcome(outcome: CheckoutOutcome): void
  /** Nothing of it is left in the page. */
  onRelease(): void
}

export interface OpenCheckout {
  readonly opening: Opening
  sessionId: string
  phase: Phase
  /** Closed for the payer; until the phase is `finished` the form may still have a last word. */
  isClosing: boolean
  readonly opened: Deferred<void>
  readonly outcome: Deferred<CheckoutOutcome>
  readonly frame: Frame
  readonly surface: Surface
  /** Removes every listener, timer and node. */
  release(): void
}

export function openCheckout(opening: Opening): OpenCheckout {
  const { url, uiMode, container, opener, options } = opening
  const texts = textsFor(options.locale)
  if (options.locale) url.searchParams.set('lang', options.locale)
  const frame = createFrame(url, texts[0])
  const listening = new AbortController()
  const { signal } = listening
  const checkout: OpenCheckout = {
    opening,
    sessionId: opening.sessionId,
    phase: 'loading',
    isClosing: false,
    opened: deferred(),
    outcome: deferred(),
    frame,
    surface: container
      ? showInContainer(frame.element, container)
      : showDialog(frame.element, { texts, opener, askToClose: () => closeCheckout(checkout) }),
    release() {
      if (signal.aborted) return
      listening.abort()
      clearTimeout(watchdog)
      checkout.surface.hide()
      checkout.surface.remove()
      opening.onRelease()
    },
  }
  const watchdog = setTimeout(giveUp, LOAD_MS_MAX, checkout, 'frame_load_timeout', 'The payment form did not load')
  addEventListener('message', (event) => receive(checkout, event), { signal })
  document.addEventListener('securitypolicyviolation', (event) => noticeBlock(checkout, event), { signal })
  checkout.opened.promise.then(
    () => clearTimeout(watchdog),
    () => {},
  )
  return checkout
}

/** Only the form's own window, on the form's own origin, may speak. */
function receive(checkout: OpenCheckout, { isTrusted, origin, source, data }: MessageEvent): void {
  const { opening, frame } = checkout
  if (!isTrusted || origin !== opening.url.origin || source !== frame.element.contentWindow) return
  const message = readFrameMessage(data)
  if (message) obey(checkout, message)
}

function obey(checkout: OpenCheckout, message: FrameMessage): void {
  const { phase } = checkout
  if (message.type === 'rc:checkout_ready') beReady(checkout, message.session_id)
  else if (message.type === 'rc:checkout_height') checkout.frame.follow(message.height)
  else if (phase === 'loading' || phase === 'finished') return
  else if (message.type === 'rc:checkout_state') enter(checkout, message.phase)
  else if (message.type === 'rc:checkout_result') finish(checkout, message)
  else if (checkout.opening.uiMode === 'rapid') closeCheckout(checkout)
}

/** A form that is loaded again, in another language for example, says it again. */
function beReady(checkout: OpenCheckout, sessionId: string): void {
  if (!sessionId || (checkout.sessionId && checkout.sessionId !== sessionId) || checkout.isClosing) return
  const { colorScheme } = checkout.opening.options
  checkout.sessionId = sessionId
  if (colorScheme) tell(checkout, { type: 'rc:parent_theme_scheme', scheme: colorScheme })
  if (checkout.phase !== 'loading') return
  checkout.phase = 'ready'
  checkout.opened.resolve()
  checkout.surface.focus()
  checkout.opening.onReady()
}

function enter(checkout: OpenCheckout, phase: Phase): void {
  checkout.phase = phase
  if (checkout.isClosing) cancelWhenIdle(checkout)
}

function tell({ frame, opening }: OpenCheckout, message: ParentMessage): void {
  frame.element.contentWindow?.postMessage(message, opening.url.origin)
}

function finish(checkout: OpenCheckout, message: Extract<FrameMessage, { type: 'rc:checkout_result' }>): void {
  const { type: _type, v: _version, status, ...data } = message
  if (data.session_id === checkout.sessionId) settle(checkout, { status, data } as CheckoutOutcome)
}

/** A modal goes with its result, but for a failure: the payer wants to read why. */
function settle(checkout: OpenCheckout, outcome: CheckoutOutcome): void {
  const { uiMode, onOutcome } = checkout.opening
  const isOver = outcome.status === 'canceled' || (uiMode === 'rapid' && outcome.status === 'succeeded')
  checkout.phase = 'finished'
  checkout.isClosing ||= isOver
  if (checkout.isClosing) checkout.release()
  checkout.outcome.resolve(outcome)
  onOutcome(outcome)
}

/**
 * Closes for the payer, and lets the form have the last word: a click on Pay may cross the message.
 *
 * @returns false when a payment runs
 */
export function closeCheckout(checkout: OpenCheckout): boolean {
  const { phase, isClosing, surface, opened } = checkout
  if (isClosing) return true
  if (phase === 'submitting' || phase === 'challenge') return false
  checkout.isClosing = true
  if (phase === 'finished') checkout.release()
  if (phase === 'finished') return true
  opened.reject(new ServiceCheckoutError('destroyed', 'The checkout was closed'))
  surface.hide()
  tell(checkout, { type: 'rc:parent_close' })
  setTimeout(cancelWhenIdle, phase === 'loading' ? 0 : LAST_WORD_MS, checkout)
  return true
}

function cancelWhenIdle(checkout: OpenCheckout): void {
  const { phase, sessionId } = checkout
  if (phase === 'ready' || phase === 'loading')
    settle(checkout, { status: 'canceled', data: { session_id: sessionId } })
}

export function destroyCheckout(checkout: OpenCheckout): void {
  const error = new ServiceCheckoutError('destroyed', 'The checkout was destroyed')
  checkout.phase = 'finished'
  checkout.isClosing = true
  checkout.release()
  checkout.opened.reject(error)
  checkout.outcome.reject(error)
}

/** The form could not be shown: nothing was paid. */
function giveUp(checkout: OpenCheckout, code: ErrorCode, message: string): void {
  const { sessionId } = checkout
  checkout.isClosing = true
  checkout.opened.reject(new ServiceCheckoutError(code, message, { sessionId }))
  settle(checkout, { status: 'failed', data: { message, error_code: code, session_id: sessionId } })
}

function noticeBlock(checkout: OpenCheckout, event: SecurityPolicyViolationEvent): void {
  const { origin } = checkout.opening.url
  const isOurs = checkout.phase === 'loading' && event.blockedURI.startsWith(origin)
  if (!isOurs || event.disposition !== 'enforce' || event.effectiveDirective !== 'frame-src') return
  giveUp(checkout, 'frame_blocked', `Add to the page's Content-Security-Policy: frame-src ${origin}`)
}
