import { readCheckoutUrl } from './checkout-url.ts'
import { ServiceCheckoutError } from './errors.ts'
import { options, shownCheckout } from './library.ts'
import { closeCheckout, openCheckout } from './open-checkout.ts'
import type { CheckoutHandle, CreatedSession, UiMode } from './types.ts'

/**
 * Looks whether a form can be shown now; one whose session has ended makes room.
 *
 * @param required the option without which nothing can be done
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
 * Shows the form of a session, or goes to it in mode `hosted`.
 *
 * @param opener gets the focus back
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

/** The page leaves. Whoever comes back with "Back" finds a library that can begin anew. */
function leaveFor(url: URL, sessionId: string): CheckoutHandle {
  const never = new Promise<never>(() => {})
  location.assign(url)
  return { sessionId, uiMode: 'hosted', opened: never, outcome: never, close: () => true }
}
