/** Letters that a business can switch off, as audience and kind. @see LTR-14 */
export const SWITCHABLE_LETTERS = [
  'customer.subscription_link',
  'customer.subscription_created',
  'customer.payment_succeeded',
  'customer.payment_failed',
  'customer.retries_exhausted',
  'customer.refund',
  'customer.card_link',
  'customer.contract_link',
  'customer.card_expiring',
  'customer.upcoming_renewal',
  'merchant.payment_succeeded',
  'merchant.payment_failed',
  'merchant.retries_exhausted',
  'merchant.endpoint_disabled',
] as const
export type SwitchableLetter = (typeof SWITCHABLE_LETTERS)[number]

/** What a business has set for its letters and invoices. */
export interface StoredLetterSettings {
  /** `null`: the name of the business. */
  senderName: string | null
  /** `null`: its support e-mail. */
  replyTo: string | null
  /** Empty: its support e-mail. */
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
  { name, supportEmail }: { name: string; supportEmail: string | null },
): LetterSettings {
  const { senderName, replyTo, notifiedEmails } = stored
  return {
    ...stored,
    senderName: senderName ?? name,
    replyTo: replyTo ?? supportEmail,
    notifiedEmails: notifiedEmails.length > 0 || supportEmail === null ? notifiedEmails : [supportEmail],
  }
}
