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

/** Makes the global of a script tag. A page that includes a second one keeps the first, with all that it knows. */
export function startLibrary(): void {
  if (window.ServiceCheckout) return
  window.ServiceCheckout = ServiceCheckout
  // A page that never calls `init` takes the script's own host as the API.
  const { src, dataset } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>
  if (src) keepOptions({ apiBaseUrl: src })
  nameScriptOrigin(dataset?.checkoutOrigin)
  openAtClick()
}

const ATTRIBUTE = 'data-service-checkout-url'

/**
 * Opens a session at a click on `<button data-service-checkout-url="…">`, without any code of the merchant: a modal's
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
