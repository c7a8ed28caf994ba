import type { SwitchableLetter } from '../../contract/letters.ts'

/** What a business has set for its letters and invoices. */
export interface StoredLetterSettings {
  /** `null`: the name of the business. */
  senderName: string | null
  /** `null`: its support e-mail. */
  replyTo: string | null
  /** Empty: its support e-mail, and without one its owners. */
  notifiedEmails: readonly string[]
  lettersOff: readonly SwitchableLetter[]
  /** Days before a renewal that the customer gets a letter; `null` for none. */
  renewalNoticeDays: number | null
  /** Of the company, printed on invoices; `null`: the name of the business. */
  legalName: string | null
  /** One or more lines, printed on invoices. */
  postalAddress: string | null
  /** One or more lines, printed on invoices, such as GST and QST numbers. */
  taxRegistrations: string | null
}

/** The settings in effect, with what the business itself has in place of what is not set. */
export interface LetterSettings extends Omit<StoredLetterSettings, 'senderName'> {
  senderName: string
}

export function settingsInEffect(
  stored: StoredLetterSettings,
  { name, supportEmail, ownerEmails }: { name: string; supportEmail: string | null; ownerEmails: readonly string[] },
): LetterSettings {
  const { senderName, replyTo, notifiedEmails } = stored
  return {
    ...stored,
    senderName: senderName ?? name,
    replyTo: replyTo ?? supportEmail,
    notifiedEmails: notifiedEmails.length > 0 ? notifiedEmails : supportEmail === null ? ownerEmails : [supportEmail],
  }
}
