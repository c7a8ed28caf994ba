import { plainDigits } from '../../contract/typed-card.ts'
import { detectBrand } from '../fields/card-brands.ts'
import { checkCardNumber } from '../fields/card-number.ts'
import { checkExpiry } from '../fields/expiry.ts'
import {
  checkCity,
  checkEmail,
  checkLine1,
  checkNameOnCard,
  checkPostalCode,
  hasDigits,
} from '../fields/other-fields.ts'
import type { RuleName } from '../fields/rule-name.ts'
import type { SentenceKey } from '../messages/text.ts'
import { counted, fieldNamed, isShown, type Page, sentence, typed } from './page.ts'
import { serverNow } from './server-clock.ts'

export type CheckedField = HTMLInputElement | HTMLSelectElement

/** Returns the error text for the payer; `null` if the value can be sent. */
type Rule = (page: Page, field: CheckedField) => string | null

const RULES: Record<RuleName, Rule> = {
  card_number: (page, field) => {
    const brand = detectBrand(plainDigits(field.value))
    return text(page, checkCardNumber(field.value, page.data.brands), { brand: brand?.name ?? '' })
  },
  expiry: (page, field) => text(page, checkExpiry(field.value, new Date(serverNow(page.data)))),
  security_code: checkSecurityCode,
  name_on_card: (page, field) => text(page, checkNameOnCard(field.value)),
  email: (page, field) => text(page, checkEmail(field.value)),
  country: (page, field) => text(page, field.value === '' ? 'country_required' : null),
  postal_code: (page, field) => text(page, checkPostalCode(field.value, countryOf(page, field))),
  line1: (page, field) => text(page, checkLine1(field.value)),
  line2: (page, field) => tooLong(page, field, 50),
  city: (page, field) => text(page, checkCity(field.value, countryOf(page, field))) ?? tooLong(page, field, 50),
  region: (page, field) => text(page, isEmpty(field) ? 'region_required' : null) ?? tooLong(page, field, 50),
  recipient: (page, field) => text(page, isEmpty(field) ? 'recipient_required' : null) ?? tooLong(page, field, 80),
  terms: (page, field) => text(page, field instanceof HTMLInputElement && field.checked ? null : 'terms_required'),
}

const isEmpty = (field: CheckedField) => field.value.trim() === ''

/** Replaces `maxlength`, which would cut pasted text before anybody reads it. */
const tooLong = (page: Page, field: CheckedField, max: number) =>
  field.value.trim().length > max ? sentence(page, 'too_long', { max }) : null

/** Returns the country of the address to which the field belongs. */
const countryOf = (page: Page, { name }: CheckedField) =>
  fieldNamed(page, name.replace(/(?:postal|city)$/, 'country'))?.value ?? ''

export function faultOf(page: Page, field: CheckedField): string | null {
  const rule = field.dataset.rule as RuleName
  return isUnusedShipping(page, field) ? null : RULES[rule](page, field)
}

/** Returns all visible fields with a rule, in the order of the page. */
export function checkedFields(page: Page): CheckedField[] {
  const fields = page.form.querySelectorAll<CheckedField>('[data-rule]')
  return [...fields].filter(isShown)
}

function checkSecurityCode(page: Page, field: CheckedField): string | null {
  const length = field.name === 'saved_cvc' ? savedCodeLength(page) : typedCodeLength(page)
  if (plainDigits(field.value) === '') return sentence(page, 'security_code_required')
  if ((length ? [length] : [3, 4]).some((digits) => hasDigits(field.value, digits))) return null
  return counted(page, 'security_code_incomplete', length ?? 3)
}

const typedCodeLength = (page: Page) => detectBrand(plainDigits(typed(page, 'cardnumber')))?.codeLength

const savedCodeLength = (page: Page) =>
  Number(page.form.querySelector<HTMLElement>('[name="payment_method"]:checked')?.dataset.code)

/** Whether the shipping address is unused: an optional one is checked only once any of its fields is filled in. */
function isUnusedShipping(page: Page, field: CheckedField): boolean {
  const group = field.closest<HTMLElement>('.shipping')
  if (group?.dataset.collection !== 'auto') return false
  return (
    [...group.querySelectorAll('input')].every((input) => input.type === 'checkbox' || input.value.trim() === '') &&
    typed(page, 'shipping_line1') === ''
  )
}

function text(page: Page, key: SentenceKey | null, values: Record<string, string> = {}): string | null {
  return key && sentence(page, key, values)
}
