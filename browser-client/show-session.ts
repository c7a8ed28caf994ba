import { readCheckoutUrl } from './checkout-url.ts'
import { ServiceCheckoutError } from './errors.ts'
import { closeCheckout, openCheckout, shownCheckout } from './open-checkout.ts'
import { options } from './options.ts'
import type { CheckoutHandle, CreatedSession, UiMode } from './types.ts'

/**
 * Checks that a form can be shown now. A form whose session has ended is closed first.
 *
 * @param required the option that must be set
 * @throws ServiceCheckoutError `unsupported_environment`, `not_initialized`, `already_open`, `container_not_found`
 * @returns the container of mode `embedded`
 */
export function makeRoom(uiMode: UiMode, required: string | undefined): Element | null {
  if (!globalThis.HTMLDialogElement) throw new ServiceCheckoutError('unsupported_environment')
  if (!required) throw new ServiceCheckoutError('not_initialized')
  const shown = shownCheckout()
  if (shown && shown.phase !== 'finished') throw new ServiceCheckoutError('already_open')
  const container = uiMode === 'embedded' ? document.getElementById(options.containerId ?? '') : null
  if (uiMode === 'embedded' && !container) throw new ServiceCheckoutError('container_not_found')
  if (shown) closeCheckout(shown)
  return container
}

/**
 * Shows the form of a session, or opens its page in mode `hosted`.
 *
 * @param opener element that gets the focus back
 * @throws ServiceCheckoutError
 */
export function showSession(
  { checkout_url, id: sessionId = '' }: Pick<CreatedSession, 'checkout_url' | 'id'>,
  uiMode: UiMode,
  opener?: Element | null,
): CheckoutHandle {
  const { apiBaseUrl, checkoutOrigin } = options
  const container = makeRoom(uiMode, apiBaseUrl)
  const url = readCheckoutUrl(checkout_url, checkoutOrigin)
  if (uiMode === 'hosted') return leaveFor(url, sessionId)
  const checkout = openCheckout({ url, sessionId, container }, (opener ?? document.activeElement) as HTMLElement | null)
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

/** Leaves the page. After "Back" the library can start again. */
function leaveFor(url: URL, sessionId: string): CheckoutHandle {
  const never = new Promise<never>(() => {})
  location.assign(url)
  return { sessionId, uiMode: 'hosted', opened: never, outcome: never, close: () => true }
}
