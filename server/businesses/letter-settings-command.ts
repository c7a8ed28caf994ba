import type { SwitchableLetter } from '../../contract/letters.ts'
import type { Command } from '../lib/command.ts'
import type { StoredLetterSettings } from './letter-settings.ts'

// Options of `npm run business -- set` for letters and invoices.

export const LETTER_USAGE = `[--sender-name TEXT] [--reply-to EMAIL] [--notified-emails EMAIL,…] [--letters-off LETTER,…]
           [--renewal-notice-days N] [--legal-name TEXT] [--postal-address LINES] [--tax-registrations LINES]`

const TEXTS = { senderName: 'sender-name', replyTo: 'reply-to', legalName: 'legal-name' } as const
const LISTS = { notifiedEmails: 'notified-emails', lettersOff: 'letters-off' } as const
const LINES = { postalAddress: 'postal-address', taxRegistrations: 'tax-registrations' } as const
const RENEWAL_NOTICE = 'renewal-notice-days'
export const LETTER_OPTIONS: string[] = [
  ...[TEXTS, LISTS, LINES].flatMap((options) => Object.values(options)),
  RENEWAL_NOTICE,
]

/** Reads the settings of the command line. An empty value removes a setting. `checkLetterSettings` checks them. */
export function letterSettingsFrom({ optional }: Command): Partial<StoredLetterSettings> {
  const days = optional(RENEWAL_NOTICE)
  return {
    ...given(optional, TEXTS, (text) => text.trim() || null),
    ...given(optional, LINES, (text) => linesOf(text) || null),
    ...(given(optional, LISTS, listOf) as { lettersOff?: SwitchableLetter[] }),
    ...(days !== undefined && { renewalNoticeDays: days.trim() === '' || Number(days) === 0 ? null : Number(days) }),
  }
}

function given<Name extends string, Value>(
  optional: Command['optional'],
  options: Record<Name, string>,
  read: (text: string) => Value,
): Partial<Record<Name, Value>> {
  const values: Partial<Record<Name, Value>> = {}
  for (const name of Object.keys(options) as Name[]) {
    const text = optional(options[name])
    if (text !== undefined) values[name] = read(text)
  }
  return values
}

const listOf = (text: string) => (text.trim() === '' ? [] : text.split(',').map((part) => part.trim()))

/** Splits lines. `\n` counts as a line break, because one is hard to type in a shell. */
const linesOf = (text: string) =>
  text
    .trim()
    .split(/\r?\n|\\n/)
    .map((line) => line.trim())
    .join('\n')

/** Returns the settings as `set` prints them. */
export function letterSettingsText(settings: StoredLetterSettings): [string, string | null][] {
  const { notifiedEmails, lettersOff, renewalNoticeDays, postalAddress, taxRegistrations } = settings
  return [
    [TEXTS.senderName, settings.senderName],
    [TEXTS.replyTo, settings.replyTo],
    [LISTS.notifiedEmails, notifiedEmails.join(', ') || null],
    [LISTS.lettersOff, lettersOff.join(', ') || null],
    [RENEWAL_NOTICE, renewalNoticeDays === null ? null : String(renewalNoticeDays)],
    [TEXTS.legalName, settings.legalName],
    [LINES.postalAddress, postalAddress?.replaceAll('\n', ' | ') ?? null],
    [LINES.taxRegistrations, taxRegistrations?.replaceAll('\n', ' | ') ?? null],
  ]
}
