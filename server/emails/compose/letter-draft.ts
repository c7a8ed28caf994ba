import type { LetterKind } from '../../../contract/letters.ts'
import type { Business } from '../../businesses/business.ts'
import type { LetterSettings } from '../../businesses/letter-settings.ts'
import type { ClaimedNotification } from '../../events/notification.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { InvoiceSource } from '../invoices/invoice-data.ts'
import type { LetterContent } from '../templates/letter-view.ts'
import type { LetterWords } from '../templates/letter-words.ts'
import type { LetterSources, NewCardLink } from './letter-sources.ts'

/** Letter before its recipient and language are known. */
export interface LetterDraft {
  kind: LetterKind
  /** `null` if the letter goes to the merchant or to a person. */
  customerId: string | null
  /** Person of the business, with their own address and language. */
  person?: { email: string; locale: string | null }
  /** Object that the letter is about; `null` for an account. */
  objectId: string | null
  write(words: LetterWords): LetterContent
  invoice?: DraftInvoice
  /**
   * Target of `LETTER_LINK`: the object named by a customer's link, the link of a person, or a card link to be recorded
   * with the letter.
   */
  link?: { id: string } | { url: string } | { made: NewCardLink }
}

/** Invoice to be attached to a letter. A payment, or a subscription without one, has only one invoice. */
export interface DraftInvoice {
  subscriptionId: string
  paymentId: string | null
  source: Omit<InvoiceSource, 'business' | 'postalAddress' | 'taxRegistrations' | 'customer'>
}

/** Fact to draft letters for, with its context. */
export interface FactContext {
  business: Business
  settings: LetterSettings
  sources: LetterSources
  keyring: Keyring
  notification: ClaimedNotification
}

/** Drafts the letters of a fact; none if nobody is notified of it. */
export type DraftLetters = (context: FactContext) => Promise<LetterDraft[]>
