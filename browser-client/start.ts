import { makeServiceCheckout } from './service-checkout.ts'
import { openAtClick } from './trigger.ts'
import type { ServiceCheckoutStatic, UiMode } from './types.ts'

declare global {
  interface Window {
    ServiceCheckout?: ServiceCheckoutStatic
  }
}

/** Makes the global of a script tag. A page that includes a second one keeps the first, with all that it knows. */
export function startLibrary(defaultUiMode?: UiMode): void {
  if (window.ServiceCheckout) return
  const { src = undefined } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>
  const serviceCheckout = makeServiceCheckout(defaultUiMode, src)
  window.ServiceCheckout = serviceCheckout
  openAtClick(serviceCheckout)
}
