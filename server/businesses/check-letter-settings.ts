import { SWITCHABLE_LETTERS } from '../../contract/letters.ts'
import { isEmailAddress } from '../lib/email-address.ts'
import { invalidField } from '../lib/errors.ts'
import type { StoredLetterSettings } from './letter-settings.ts'

const SENDER_CHARACTERS_MAX = 100
const LEGAL_NAME_CHARACTERS_MAX = 255
const NOTIFIED_MAX = 10
const NOTICE_DAYS_MAX = 60
const LINES_MAX = 8
const LINE_CHARACTERS_MAX = 100
/** Control characters, and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

const RULES: {
  [Name in keyof StoredLetterSettings]: (value: NonNullable<StoredLetterSettings[Name]>) => string | null
} = {
  senderName: (name) =>
    isPrintable(name) && name.length <= SENDER_CHARACTERS_MAX
      ? null
      : `must be one line of 1 to ${SENDER_CHARACTERS_MAX} characters`,
  replyTo: (address) => (isEmailAddress(address) ? null : 'must be one e-mail address'),
  notifiedEmails: (addresses) =>
    addresses.every(isEmailAddress) && addresses.length <= NOTIFIED_MAX && areDistinct(addresses)
      ? null
      : `must be at most ${NOTIFIED_MAX} different e-mail addresses, separated by commas`,
  lettersOff: (names) => {
    const unknown = names.find((name) => !SWITCHABLE_LETTERS.includes(name))
    if (unknown !== undefined) return `has an unknown letter, ${unknown}; there are ${SWITCHABLE_LETTERS.join(', ')}`
    return areDistinct(names) ? null : 'must name each letter once'
  },
  renewalNoticeDays: (days) =>
    Number.isInteger(days) && days >= 1 && days <= NOTICE_DAYS_MAX
      ? null
      : `must be a number of days from 1 to ${NOTICE_DAYS_MAX}, or 0 for none`,
  legalName: (name) =>
    isPrintable(name) && name.length <= LEGAL_NAME_CHARACTERS_MAX
      ? null
      : `must be one line of 1 to ${LEGAL_NAME_CHARACTERS_MAX} characters`,
  postalAddress: printedLines,
  taxRegistrations: printedLines,
}

/** @throws ApiError `validation_failed` naming the field */
export function checkLetterSettings(settings: StoredLetterSettings): void {
  for (const name of Object.keys(RULES) as (keyof typeof RULES)[]) {
    const value = settings[name]
    const rule = RULES[name] as (value: unknown) => string | null
    const violation = value === null ? null : rule(value)
    if (violation) throw invalidField(name.replace(/[A-Z]/g, '_$&').toLowerCase(), violation)
  }
}

const isPrintable = (text: string) => text.trim() !== '' && !UNPRINTABLE.test(text)
const areDistinct = (texts: readonly string[]) => new Set(texts.map((text) => text.toLowerCase())).size === texts.length

function printedLines(text: string): string | null {
  const lines = text.split('\n')
  const arePrintable = lines.every((line) => isPrintable(line) && line.length <= LINE_CHARACTERS_MAX)
  return arePrintable && lines.length <= LINES_MAX
    ? null
    : `must have 1 to ${LINES_MAX} lines of at most ${LINE_CHARACTERS_MAX} characters, none of them empty`
}
