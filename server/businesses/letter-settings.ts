import type { SwitchableLetter } from '../../contract/letters.ts'

/** What a business has set for its letters and invoices. */
export interface StoredLetterSettings {
  /** Name of the sender; `null` for the name of the business. */
  senderName: string | null
  /** Reply address; `null` for the support e-mail of the business. */
  replyTo: string | null
  /** Addresses of letters to the business. If empty, its support e-mail, and without one its owners. */
  notifiedEmails: readonly string[]
  lettersOff: readonly SwitchableLetter[]
  /** How many days before a renewal the customer gets a letter; `null` for no letter. */
  renewalNoticeDays: number | null
  /** Name of the company, printed on invoices; `null` for the name of the business. */
  legalName: string | null
  /** Postal address in one or more lines, printed on invoices. */
  postalAddress: string | null
  /** Tax numbers, such as GST and QST, in one or more lines, printed on invoices. */
  taxRegistrations: string | null
}

/** The settings in effect, with the business's own values in place of absent ones. */
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
