import { nameScriptOrigin } from './checkout-url.ts'
import { keepOptions } from './options.ts'
import { ServiceCheckout } from './service-checkout.ts'
import { showSession } from './show-session.ts'
import type { ServiceCheckoutStatic } from './types.ts'

declare global {
  interface Window {
    ServiceCheckout?: ServiceCheckoutStatic
  }
}

/** Creates the global of a script tag. A page that includes a second script keeps the first global, with its state. */
export function startLibrary(): void {
  if (window.ServiceCheckout) return
  window.ServiceCheckout = ServiceCheckout
  // If the page never calls `init`, the script's own host is the API.
  const { src, dataset } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>
  if (src) keepOptions({ apiBaseUrl: src })
  nameScriptOrigin(dataset?.checkoutOrigin)
  openAtClick()
}

const ATTRIBUTE = 'data-service-checkout-url'

/**
 * Opens a session on a click on `<button data-service-checkout-url="…">`, without any code of the merchant: a modal's
 * URL in the modal, any other URL as a page.
 */
function openAtClick(): void {
  document.addEventListener('click', (event) => {
    const trigger = (event.target as Element).closest<HTMLElement>(`[${ATTRIBUTE}]`)
    if (!trigger) return
    event.preventDefault()
    const checkout_url = trigger.getAttribute(ATTRIBUTE) as string
    const uiMode = checkout_url.includes('/checkout-rapid/') ? 'rapid' : 'hosted'
    showSession({ checkout_url }, uiMode, trigger)
  })
}
