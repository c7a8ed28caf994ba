import { type CheckedField, checkedFields, faultOf } from './field-rules.ts'
import { byId, counted, type Page, paragraph } from './page.ts'
import { mayMove } from './still-page.ts'

/**
 * Checks a field when it loses focus, and again while it is corrected; never while the input can still become valid.
 */
export function watchFields(page: Page): void {
  // An error that comes or goes under the pointer moves the button away from the click; and a click on Pay checks all
  // anyway.
  page.form.addEventListener('focusout', ({ target }) => {
    if (!mayMove(page) || !isChecked(target)) return
    if (target.value !== '' && target.type !== 'checkbox') recheckField(page, target)
  })
  const mend = ({ target }: Event) => {
    if (!mayMove(page) || !isChecked(target) || !hasError(target)) return
    if (faultOf(page, target) === null) clearFieldError(page, target)
  }
  page.form.addEventListener('input', mend)
  page.form.addEventListener('change', mend)
}

/**
 * Checks the fields of the form. If nothing is wrong, earlier errors keep their place until the payment has a result:
 * see {@link forgetErrors}.
 *
 * @param isNeeded selects fields; absent for all fields
 * @returns false if something is wrong; the payer then sees a summary, and the focus is in the first wrong field
 */
export function validateForm(page: Page, isNeeded: (field: CheckedField) => boolean = () => true): boolean {
  const checked = checkedFields(page)
    .filter(isNeeded)
    .map((field) => ({ field, fault: faultOf(page, field) }))
  const faults = checked.flatMap(({ field, fault }) => (fault ? [{ field, fault }] : []))
  if (faults.length === 0) return true
  for (const { field, fault } of checked) showFieldError(field, fault ?? '')
  showSummary(page, faults)
  return false
}

/** Removes the errors from before the payment whose result is now shown. */
export function forgetErrors(page: Page): void {
  for (const field of page.form.querySelectorAll<CheckedField>('[data-rule]')) showFieldError(field, '')
  page.alert.replaceChildren()
}

/** Shows the summary of errors, including errors that only the server detects. */
export function showSummary(page: Page, faults: { field: CheckedField; fault: string }[]): void {
  const list = document.createElement('ul')
  for (const { field, fault } of faults) {
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.href = `#${field.id}`
    link.textContent = fault
    link.addEventListener('click', (event) => {
      event.preventDefault()
      field.focus()
    })
    item.append(link)
    list.append(item)
  }
  page.alert.replaceChildren(paragraph(counted(page, 'error_summary', faults.length)), list)
  faults[0]?.field.focus()
}

export function recheckField(page: Page, field: CheckedField): void {
  const fault = faultOf(page, field)
  if (fault) showFieldError(field, fault)
  else clearFieldError(page, field)
}

export function showFieldError(field: CheckedField, text: string): void {
  const place = byId(`${field.id}-error`)
  if (place.textContent !== text) place.textContent = text
  if (text) field.setAttribute('aria-invalid', 'true')
  else field.removeAttribute('aria-invalid')
}

/** Removes the error of a field. The summary disappears with its last error. */
function clearFieldError(page: Page, field: CheckedField): void {
  showFieldError(field, '')
  const line = page.alert.querySelector(`a[href="#${field.id}"]`)
  const list = line?.closest('ul')
  if (!line || !list) return
  line.closest('li')?.remove()
  if (list.children.length === 0) page.alert.replaceChildren()
  else list.previousElementSibling?.replaceChildren(counted(page, 'error_summary', list.children.length))
}

function hasError(field: CheckedField): boolean {
  return field.getAttribute('aria-invalid') === 'true'
}

function isChecked(target: EventTarget | null): target is CheckedField {
  return (
    (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) && target.dataset.rule !== undefined
  )
}
