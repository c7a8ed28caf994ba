import { hasCity, hasPostalCode, needsCity, needsPostalCode } from '../../contract/address-parts.ts'
import { formatExpiry } from '../fields/expiry.ts'
import { formatPostalCode } from '../fields/other-fields.ts'
import { recheckField } from './field-errors.ts'
import type { CheckedField } from './field-rules.ts'
import { fieldNamed, type Page, sentence } from './page.ts'

/** Adds the slash after a complete month; writes the full form when the field loses focus. */
export function enhanceExpiry(page: Page): void {
  const input = fieldNamed(page, 'exp')
  if (!(input instanceof HTMLInputElement)) return
  input.addEventListener('input', (event) => {
    const isTyping = (event as InputEvent).inputType === 'insertText'
    const isAtEnd = input.selectionStart === input.value.length
    if (isTyping && isAtEnd && /^(0[1-9]|1[0-2])$/.test(input.value)) input.value += '/'
  })
  input.addEventListener('change', () => {
    input.value = formatExpiry(input.value)
  })
}

/**
 * Updates postal code and city for the chosen country: whether it has them, and the postal code's name, keyboard and
 * format.
 */
export function enhanceAddress(page: Page, prefix: '' | 'shipping_'): void {
  const country = fieldNamed(page, `${prefix}country`)
  const postal = fieldNamed(page, `${prefix}postal`)
  if (!country || !(postal instanceof HTMLInputElement)) return
  const label = postal.labels?.[0]
  const city = fieldNamed(page, `${prefix}city`)
  const street = prefix === '' ? page.form.querySelector<HTMLElement>('.street-instead') : null
  const show = (field: CheckedField | null, isShown: boolean, isNeeded: boolean) => {
    if (!field) return
    field.required = country.required && isNeeded
    const frame = field.closest<HTMLElement>('.field')
    if (frame) frame.hidden = !isShown
  }
  const showParts = () => {
    show(postal, hasPostalCode(country.value), needsPostalCode(country.value))
    show(city, hasCity(country.value), needsCity(country.value))
    if (street) street.hidden = needsPostalCode(country.value)
  }
  showParts()
  country.addEventListener('change', () => {
    showParts()
    if (label) label.textContent = sentence(page, country.value === 'US' ? 'zip_code' : 'postal_code')
    postal.inputMode = country.value === 'US' ? 'numeric' : 'text'
    if (postal.value !== '') recheckField(page, postal)
  })
  postal.addEventListener('change', () => {
    postal.value = formatPostalCode(postal.value, country.value)
  })
}
