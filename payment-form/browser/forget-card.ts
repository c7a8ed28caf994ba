import { fieldNamed, type Page } from './page.ts'

const SECRETS = ['cardnumber', 'exp', 'cvc', 'saved_cvc']

/**
 * Empties the card fields when the page is left: a browser stores the page in its back/forward cache, and the next
 * person at the device could return to it.
 */
export function forgetCardOnLeave(page: Page): void {
  for (const type of ['pagehide', 'pageshow'])
    window.addEventListener(type, (event) => {
      // When a page opens, it keeps what the browser has filled in.
      if (type === 'pagehide' || (event as PageTransitionEvent).persisted) forgetCard(page)
    })
}

function forgetCard(page: Page): void {
  for (const name of SECRETS) {
    const field = fieldNamed(page, name)
    if (!field || field.value === '') continue
    field.value = ''
    // The brand, the hint and the surcharge are updated.
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
