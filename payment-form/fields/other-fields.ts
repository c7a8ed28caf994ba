import { needsCity, needsPostalCode } from '../../contract/address-parts.ts'
import { plainDigits } from '../../contract/typed-card.ts'
import type { SentenceKey } from '../messages/text.ts'

const NAME_LENGTH_MAX = 45
const LINE_LENGTH_MAX = 50
const EMAIL_LENGTH_MAX = 254
const POSTAL_CODE_LENGTH_MAX = 10

const ZIP = /^\d{5}(-?\d{4})?$/
const CANADIAN = /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i

export function checkNameOnCard(text: string): SentenceKey | null {
  const name = text.trim()
  if (name === '') return 'name_on_card_required'
  // A card number typed in the wrong field must not become a name that is stored and shown.
  if (/\d{12}/.test(name.replace(/[\s.-]/g, ''))) return 'name_on_card_is_number'
  return name.length < 2 || name.length > NAME_LENGTH_MAX ? 'name_on_card_invalid' : null
}

export function checkPostalCode(text: string, country: string): SentenceKey | null {
  const code = text.trim()
  if (country === 'US') {
    if (code === '') return 'zip_code_required'
    return ZIP.test(code) ? null : 'zip_code_invalid'
  }
  if (code === '') return needsPostalCode(country) ? 'postal_code_required' : null
  const isGood = country === 'CA' ? CANADIAN.test(code) : code.length >= 2 && code.length <= POSTAL_CODE_LENGTH_MAX
  return isGood ? null : 'postal_code_invalid'
}

/** Returns the postal code in its stored form: `A1A 1A1` in Canada. */
export function formatPostalCode(text: string, country: string): string {
  const code = text.trim()
  if (country !== 'CA' || !CANADIAN.test(code)) return code
  const letters = code.replace(/[ -]/g, '').toUpperCase()
  return `${letters.slice(0, 3)} ${letters.slice(3)}`
}

export const checkCity = (text: string, country: string): SentenceKey | null =>
  text.trim() === '' && needsCity(country) ? 'city_required' : null

export function checkEmail(text: string): SentenceKey | null {
  const email = text.trim()
  if (email === '') return 'email_required'
  return email.length <= EMAIL_LENGTH_MAX && /^[^@\s]+@[^@\s]+$/.test(email) ? null : 'email_invalid'
}

export function checkLine1(text: string): SentenceKey | null {
  if (text.trim() === '') return 'line1_required'
  return text.trim().length > LINE_LENGTH_MAX ? 'line1_too_long' : null
}

/** Whether the security code has the number of digits that its brand requires. */
export function hasDigits(text: string, length: number): boolean {
  return plainDigits(text).length === length
}
