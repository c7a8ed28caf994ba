import { nameScriptOrigin } from './checkout-url.ts'
import { keepOptions } from './library.ts'
import { ServiceCheckout } from './service-checkout.ts'
import { openAtClick } from './trigger.ts'
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
  // On a page that never calls `init` the script stands where the API is.
  const { src, dataset } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>
  if (src) keepOptions({ apiBaseUrl: src })
  nameScriptOrigin(dataset?.checkoutOrigin)
  openAtClick()
}
