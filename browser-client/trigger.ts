import type { ServiceCheckoutStatic } from './types.ts'

const ATTRIBUTE = 'data-service-checkout-url'

/**
 * Opens a session of the merchant's server at a click on `<button data-service-checkout-url="…">`, without a line of code:
 * a modal's URL in the modal, any other as a page.
 */
export function openAtClick(serviceCheckout: ServiceCheckoutStatic): void {
  document.addEventListener('click', (event) => {
    const trigger = (event.target as Element).closest?.(`[${ATTRIBUTE}]`)
    if (!trigger) return
    event.preventDefault()
    const checkout_url = trigger.getAttribute(ATTRIBUTE) ?? ''
    const isRapid = checkout_url.includes('/checkout-rapid/')
    serviceCheckout.open({ token: '', checkout_url, ui_mode: isRapid ? 'rapid' : 'hosted' })
  })
}
