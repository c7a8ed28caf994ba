import { fieldNamed, type Page } from './page.ts'

const SECRETS = ['cardnumber', 'exp', 'cvc', 'saved_cvc']

/**
 * Empties the fields of the card when the page is left: a browser keeps pages it has left in its back/forward cache,
 * and the next person at the device could go back to this one.
 */
export function forgetCardOnLeave(page: Page): void {
  for (const type of ['pagehide', 'pageshow'])
    window.addEventListener(type, (event) => {
      // A page that opens keeps what the browser filled in.
      if (type === 'pagehide' || (event as PageTransitionEvent).persisted) forgetCard(page)
    })
}

function forgetCard(page: Page): void {
  for (const name of SECRETS) {
    const field = fieldNamed(page, name)
    if (!field || field.value === '') continue
    field.value = ''
    // The brand, the hint and the surcharge follow.
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
