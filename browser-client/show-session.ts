import { readCheckoutUrl } from './checkout-url.ts'
import { callBack, deliver, type Library, refusal, shownCheckout } from './library.ts'
import { closeCheckout, type OpenCheckout, openCheckout } from './open-checkout.ts'
import type { CheckoutHandle, CreatedSession, UiMode } from './types.ts'

/** @throws ServiceCheckoutError `unsupported_environment` on a server and in a browser of before 2022 */
export function requireBrowser(): void {
  if (typeof HTMLDialogElement === 'undefined' || !('adoptedStyleSheets' in document))
    throw refusal('unsupported_environment', 'A current browser is needed')
}

/** @throws ServiceCheckoutError `already_open`; a form whose session has ended makes room */
export function makeRoom(library: Library): void {
  const shown = shownCheckout(library)
  if (shown && shown.phase !== 'finished') throw refusal('already_open', 'A checkout is open; close it first')
  if (shown) closeCheckout(shown)
}

export function modeOf({ options, defaultUiMode }: Library, wanted?: UiMode): UiMode {
  return wanted ?? options?.defaultUiMode ?? defaultUiMode ?? (options?.containerId ? 'embedded' : 'hosted')
}

/** @throws ServiceCheckoutError `container_not_found` */
export function containerFor({ options }: Library, uiMode: UiMode): Element | null {
  if (uiMode !== 'embedded') return null
  const container = document.getElementById(options?.containerId ?? '')
  if (!container) throw refusal('container_not_found', `containerId: no element has the id ${options?.containerId}`)
  return container
}

/**
 * Shows the form of a session, or goes to it in mode `hosted`.
 *
 * @throws ServiceCheckoutError
 */
export function showSession(library: Library, session: CreatedSession, uiMode: UiMode, opener: Element | null) {
  const { options, scriptUrl } = library
  const base = options?.apiBaseUrl ?? scriptUrl
  if (!base) throw refusal('not_initialized', 'Call init first')
  const { url } = readCheckoutUrl(session.checkout_url, base, options?.checkoutOrigin)
  if (uiMode === 'hosted') return leaveFor(url, session)
  makeRoom(library)
  const checkout: OpenCheckout = openCheckout({
    url,
    uiMode,
    sessionId: session.id ?? '',
    container: containerFor(library, uiMode),
    opener: opener as HTMLElement | null,
    options: options ?? {},
    onReady: () => callBack(library, 'onReady', { session_id: checkout.sessionId }),
    onOutcome: (outcome) => deliver(library, outcome),
    onRelease: () => library.live.delete(checkout),
  })
  library.live.add(checkout)
  return handleOf(checkout, uiMode)
}

function handleOf(checkout: OpenCheckout, uiMode: UiMode): CheckoutHandle {
  return {
    get sessionId() {
      return checkout.sessionId
    },
    uiMode,
    opened: checkout.opened.promise,
    outcome: checkout.outcome.promise,
    close: () => closeCheckout(checkout),
  }
}

/** Whoever comes back with «Back» finds a library that can begin anew. */
function leaveFor(url: URL, { id = '' }: CreatedSession): CheckoutHandle {
  const never = new Promise<never>(() => {})
  location.assign(url)
  return { sessionId: id, uiMode: 'hosted', opened: never, outcome: never, close: () => false }
}
