import { showSession } from './show-session.ts'

const ATTRIBUTE = 'data-service-checkout-url'

/**
 * Opens a session of the merchant's server at a click on `<button data-service-checkout-url="…">`, without a line of code:
 * a modal's URL in the modal, any other as a page.
 */
export function openAtClick(): void {
  document.addEventListener('click', (event) => {
    const trigger = (event.target as Element).closest<HTMLElement>(`[${ATTRIBUTE}]`)
    if (!trigger) return
    event.preventDefault()
    const checkout_url = trigger.getAttribute(ATTRIBUTE) as string
    const uiMode = checkout_url.includes('/checkout-rapid/') ? 'rapid' : 'hosted'
    showSession({ checkout_url }, uiMode, trigger)
  })
}
