import type { PayFailure, PublicError } from '../../contract/checkout-form.ts'
import type { ThreeDsFailure } from '../../contract/three-ds.ts'
import { faultsOf } from '../fields/error-fields.ts'
import { resultText, WAIT_SECONDS_MAX } from '../view/result-texts.ts'
import { showFieldError, showSummary } from './field-errors.ts'
import { counted, fieldNamed, isShown, type Page, paragraph, sentence } from './page.ts'
import { move } from './phases.ts'
import { showSavedCode } from './saved-code.ts'
import { showSurcharge } from './surcharge.ts'

/** Shows why nothing was paid; a screen reader announces it once. */
export function showRefusal(page: Page, code: string, more: string[] = []): void {
  page.alert.replaceChildren(paragraph(sentence(page, resultText(code))), ...more.map(paragraph))
  page.alert.focus()
}

/** A decline: everything stays except the security code, which must not be kept. */
export function showDecline(page: Page, failure: PayFailure): void {
  clearCode(page)
  const code = codeFields(page).find(isShown)
  const isMismatch = failure.code === 'N7'
  showRefusal(page, isMismatch ? mismatchCode(page, code?.name) : failure.code, attemptsLeft(page, failure))
  // N7 concerns the security code, so the focus goes there.
  if (isMismatch) code?.focus()
}

/** The text says what the payer has typed: of a saved card, only the code. */
function mismatchCode(page: Page, codeName: string | undefined): string {
  if (codeName === 'saved_cvc') return 'N7_code'
  return fieldNamed(page, 'line1') ? 'N7_street' : 'N7'
}

/** The bank did not confirm the payer. What it has to say is shown as a quotation (TDS-19). */
export function showFailedAuthentication(page: Page, failure: Partial<ThreeDsFailure>): void {
  const { trans_status: transStatus = 'N', cardholder_info: info } = failure
  const code = transStatus === 'N' ? 'three_ds_failed' : `three_ds_failed_${transStatus}`
  const quotation = info ? [sentence(page, 'bank_note', { text: info })] : []
  showRefusal(page, code, [...quotation, ...attemptsLeft(page, failure)])
}

/** From the first failed attempt on. */
function attemptsLeft(page: Page, { attempt_count: count = 0, max_attempts: max = 0 }: Partial<PayFailure>): string[] {
  return count > 0 ? [counted(page, 'attempts_left', max - count)] : []
}

export function clearCode(page: Page): void {
  for (const code of codeFields(page)) code.value = ''
}

/** Of a new card and of the saved ones. */
const codeFields = (page: Page) => ['cvc', 'saved_cvc'].flatMap((name) => fieldNamed(page, name) ?? [])

/** 422: shown at the fields that it names, otherwise as one text. */
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

/** What the payer cannot correct on this page. The address is that of a policy that is newer than the page. */
const BEYOND_FIELDS = ['amount', 'googlePayToken', 'cardData.address.postalCode', 'cardData.address.line1']

/** Of a 422 that no field of the page can show. A wallet's card has no expiry date on the page. */
function invalidCode(error: Partial<PublicError>): string {
  const { reason } = error as { reason?: string }
  if (reason === 'card_expired') return reason
  return BEYOND_FIELDS.find((name) => Object.hasOwn(error.errors ?? {}, name)) ?? 'validation_failed'
}

/** The total differs from the one shown: the payer sees the new one and presses again. */
function showNewTotal(page: Page, applies: boolean): void {
  showSurcharge(page, applies ? 'yes' : 'no')
  const total = page.data.surcharge?.texts[applies ? 'with' : 'without'].total ?? ''
  page.alert.replaceChildren(paragraph(sentence(page, 'total_changed', { total })))
  page.alert.focus()
}

/** The card is saved already: selects it when it is on the page, otherwise stops asking to save it. */
function offerSavedCard(page: Page, error: Partial<PublicError>): void {
  const { card } = error as { card?: { id: string } }
  const radios = [...page.form.querySelectorAll<HTMLInputElement>('[name=payment_method]')]
  const saved = radios.find((radio) => radio.value === `saved:${card?.id}` && !radio.disabled)
  const box = fieldNamed(page, 'save_card')
  if (saved) saved.checked = true
  if (box instanceof HTMLInputElement) box.checked = false
  showRefusal(page, 'duplicate_card')
}

/** 429: the button shows the wait, so that a screen reader does not read the text out every second. */
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

/** The form stays usable: another card may work. */
function comeBackLater(page: Page, seconds: number): void {
  move(page, 'answered')
  page.alert.replaceChildren(paragraph(sentence(page, 'rate_limited_long', { minutes: Math.ceil(seconds / 60) })))
  page.alert.focus()
}
