import { showFieldError } from './field-errors.ts'
import { byId, fieldNamed, type Page } from './page.ts'

// The security code of a saved card, if the business asks for it (PAG-142).

/** Empties the code when another card is chosen: a code belongs to one card. */
export function watchSavedCode(page: Page): void {
  const code = fieldNamed(page, 'saved_cvc')
  if (!code) return
  page.form.addEventListener('change', ({ target }) => {
    if ((target as HTMLInputElement).name !== 'payment_method') return
    code.value = ''
    showFieldError(code, '')
  })
}

/** Shows the field if the business has asked for the code since the page was opened. */
export function showSavedCode(): void {
  byId('saved-code').hidden = false
}
