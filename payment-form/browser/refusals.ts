import type { PayFailure, PublicError } from '../../contract/checkout-form.ts'
import type { ThreeDsFailure } from '../../contract/three-ds.ts'
import { faultsOf } from '../fields/error-fields.ts'
import { resultText, WAIT_SECONDS_MAX } from '../view/result-texts.ts'
import { showFieldError, showSummary } from './field-errors.ts'
import { counted, fieldNamed, isShown, type Page, paragraph, sentence } from './page.ts'
import { move } from './phases.ts'
import { showSavedCode } from './saved-code.ts'
import { showSurcharge } from './surcharge.ts'

/** Shows why nothing was paid; screen readers announce it once. */
export function showRefusal(page: Page, code: string, more: string[] = []): void {
  page.alert.replaceChildren(paragraph(sentence(page, resultText(code))), ...more.map(paragraph))
  page.alert.focus()
}

/** Shows a decline: everything stays except the security code, which must not be stored. */
export function showDecline(page: Page, failure: PayFailure): void {
  clearCode(page)
  const code = codeFields(page).find(isShown)
  const isMismatch = failure.code === 'N7'
  showRefusal(page, isMismatch ? mismatchCode(page, code?.name) : failure.code, attemptsLeft(page, failure))
  // N7 concerns the security code, so its field gets the focus.
  if (isMismatch) code?.focus()
}

/** Returns the code whose text names what the payer has typed: for a saved card, only the security code. */
function mismatchCode(page: Page, codeName: string | undefined): string {
  if (codeName === 'saved_cvc') return 'N7_code'
  return fieldNamed(page, 'line1') ? 'N7_street' : 'N7'
}

/** Shows that the bank did not confirm the payer. The bank's own text is shown as a quotation (TDS-19). */
export function showFailedAuthentication(page: Page, failure: Partial<ThreeDsFailure>): void {
  const { trans_status: transStatus = 'N', cardholder_info: info } = failure
  const code = transStatus === 'N' ? 'three_ds_failed' : `three_ds_failed_${transStatus}`
  const quotation = info ? [sentence(page, 'bank_note', { text: info })] : []
  showRefusal(page, code, [...quotation, ...attemptsLeft(page, failure)])
}

/** Returns the number of attempts left, from the first failed attempt on. */
function attemptsLeft(page: Page, { attempt_count: count = 0, max_attempts: max = 0 }: Partial<PayFailure>): string[] {
  return count > 0 ? [counted(page, 'attempts_left', max - count)] : []
}

export function clearCode(page: Page): void {
  for (const code of codeFields(page)) code.value = ''
}

/** Returns the security code fields of a new card and of saved cards. */
const codeFields = (page: Page) => ['cvc', 'saved_cvc'].flatMap((name) => fieldNamed(page, name) ?? [])

/** Shows a 422 at the fields that it names, otherwise as one text. */
export function showInvalid(page: Page, error: Partial<PublicError>): void {
  const errors = error.errors ?? {}
  if (errors.cvv) showSavedCode()
  const faults = faultsOf(errors).flatMap(({ field: name, text }) => {
    const field = fieldNamed(page, name)
    return field && isShown(field) ? [{ field, fault: sentence(page, text) }] : []
  })
  for (const { field, fault } of faults) showFieldError(field, fault)
  if (error.code === 'duplicate_card') offerSavedCard(page, error)
  else if (error.surcharge && page.data.surcharge) showNewTotal(page, error.surcharge.applies)
  else if (faults.length > 0) showSummary(page, faults)
  else showRefusal(page, invalidCode(error))
}

/**
 * Fields that the payer cannot correct on this page. The address is required by a policy that is newer than the page.
 */
const BEYOND_FIELDS = ['amount', 'googlePayToken', 'cardData.address.postalCode', 'cardData.address.line1']

/**
 * Returns the code for a 422 that no field of the page can show. A wallet's card does not have an expiry date on the
 * page.
 */
function invalidCode(error: Partial<PublicError>): string {
  const { reason } = error as { reason?: string }
  if (reason === 'card_expired') return reason
  return BEYOND_FIELDS.find((name) => Object.hasOwn(error.errors ?? {}, name)) ?? 'validation_failed'
}

/** Shows the total if it differs from the one on the page: the payer sees the new one and presses Pay again. */
function showNewTotal(page: Page, applies: boolean): void {
  showSurcharge(page, applies ? 'yes' : 'no')
  const total = page.data.surcharge?.texts[applies ? 'with' : 'without'].total ?? ''
  page.alert.replaceChildren(paragraph(sentence(page, 'total_changed', { total })))
  page.alert.focus()
}

/** Handles a card that is already saved: selects it if it is on the page, otherwise stops asking to save it. */
function offerSavedCard(page: Page, error: Partial<PublicError>): void {
  const { card } = error as { card?: { id: string } }
  const radios = [...page.form.querySelectorAll<HTMLInputElement>('[name=payment_method]')]
  const saved = radios.find((radio) => radio.value === `saved:${card?.id}` && !radio.disabled)
  const box = fieldNamed(page, 'save_card')
  if (saved) saved.checked = true
  if (box instanceof HTMLInputElement) box.checked = false
  showRefusal(page, 'duplicate_card')
}

/** Handles a 429: the button shows the wait, so that screen readers do not read out a text every second. */
export function waitToTryAgain(page: Page, seconds: number): void {
  if (seconds > WAIT_SECONDS_MAX) comeBackLater(page, seconds)
  else if (move(page, 'wait')) countDown(page, seconds)
}

function countDown(page: Page, seconds: number): void {
  page.alert.replaceChildren(paragraph(sentence(page, 'rate_limited', { seconds })))
  page.alert.focus()
  let left = seconds
  const show = () => page.payLabel.replaceChildren(sentence(page, 'wait_seconds', { seconds: left }))
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return show()
    clearInterval(timer)
    move(page, 'idle')
  }, 1_000)
  show()
}

/** Shows that the payer has to wait, while the form stays usable: another card may work. */
function comeBackLater(page: Page, seconds: number): void {
  move(page, 'answered')
  page.alert.replaceChildren(paragraph(sentence(page, 'rate_limited_long', { minutes: Math.ceil(seconds / 60) })))
  page.alert.focus()
}
