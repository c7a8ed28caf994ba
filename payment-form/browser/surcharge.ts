import type { Address } from '../../contract/checkout-form.ts'
import { plainDigits } from '../../contract/typed-card.ts'
import type { SurchargeState } from '../view/surcharge-state.ts'
import { announce, type Page, typed } from './page.ts'
import { quoteSurcharge } from './payment-api.ts'
import { phaseOf } from './phases.ts'
import { billingAddress, chosenCard, shippingAddress } from './read-form.ts'
import { mayMove } from './still-page.ts'

/** Number of digits that identify the type of a card; no more of its number may be shown. */
const BIN_DIGITS = 8

/** Key of the quote without a card and without a shipping address. */
const NO_CARD = '[null,null]'
const LOST = ''

/**
 * Shows the surcharge of the chosen card before the payment. If the quote is late, the response to the pay request
 * contains it.
 */
export function watchSurcharge(page: Page): void {
  if (page.data.surcharge === null) return
  // Without a card the page stays as the server rendered it.
  let asked = NO_CARD
  const look = async () => {
    // The field lost focus to a press on Pay: the button would move away, and the server returns the amount due.
    if (!mayMove(page)) return
    const card = chosenCard(page)
    const shipping = placeOf(shippingAddress(page))
    const question = card === null ? newCard(page) : { cardId: card }
    const key = JSON.stringify([question, shipping])
    if (key === asked) return
    asked = key
    if (card !== null && !shipping)
      return showSurcharge(page, page.data.surcharge?.savedCards.includes(card) ? 'yes' : 'no')
    if (question === null) return showSurcharge(page, 'unknown')
    const response = await quoteSurcharge(page.data, { ...question, ...(shipping && { shipping }) })
    // A different card may have been typed by now.
    if (asked !== key) return
    // Too late for a payment that is being sent: its response contains the surcharge.
    if (response.kind === 'ok' && mayMove(page)) showSurcharge(page, response.body.surcharge?.applies ? 'yes' : 'no')
    else asked = LOST
  }
  page.form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'cardnumber') void look()
  })
  page.form.addEventListener('change', () => void look())
  void look()
}

/** Returns the digits of the typed card, or `null` if there are too few. */
function newCard(page: Page) {
  const digits = plainDigits(typed(page, 'cardnumber'))
  if (digits.length < BIN_DIGITS) return null
  const place = placeOf(billingAddress(page))
  if (place === null && page.data.surcharge?.needsPlace) return null
  return { bin: digits.slice(0, BIN_DIGITS), ...place }
}

/** Returns only the country, region and postal code of an address. */
function placeOf(address: Address | null) {
  if (address === null) return null
  const { country, state, postal_code } = address
  return { ...(country && { country }), ...(state && { state }), ...(postal_code && { postal_code }) }
}

/** Updates rows, total, button and the amount of the pay request; screen readers announce a new total once. */
export function showSurcharge(page: Page, state: SurchargeState): void {
  const { surcharge } = page.data
  if (surcharge === null) return
  surcharge.state = state
  const { amount, payLabel, announcement } = surcharge.texts[state === 'yes' ? 'with' : 'without']
  const isNew = amount !== page.data.amount
  page.data.amount = amount
  page.payText = payLabel
  if (phaseOf(page) === 'ready') page.payLabel.textContent = payLabel
  markSurcharge(page)
  if (isNew) announce(page, announcement)
}

/** Shows the parts for the current state of the surcharge, including parts that were added later. */
export function markSurcharge({ data: { surcharge } }: Page): void {
  if (surcharge === null) return
  const { total } = surcharge.texts[surcharge.state === 'yes' ? 'with' : 'without']
  for (const part of document.querySelectorAll<HTMLElement>('[data-surcharge]'))
    part.hidden = part.dataset.surcharge !== surcharge.state
  for (const place of document.querySelectorAll('[data-total]')) place.textContent = total
}
