import { showFieldError } from './field-errors.ts'
import { byId, fieldNamed, type Page } from './page.ts'

// The security code of a saved card, where the business asks for it (PAG-142).

/** A code belongs to one card: it is emptied when another card is chosen. */
export function watchSavedCode(page: Page): void {
  const code = fieldNamed(page, 'saved_cvc')
  if (!code) return
  page.form.addEventListener('change', ({ target }) => {
    if ((target as HTMLInputElement).name !== 'payment_method') return
    code.value = ''
    showFieldError(code, '')
  })
}

/** The business asks for it since the page was opened. */
export function showSavedCode(): void {
  byId('saved-code').hidden = false
}
