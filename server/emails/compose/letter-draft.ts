import type { LetterKind } from '../../../contract/letters.ts'
import type { Business } from '../../businesses/business.ts'
import type { LetterSettings } from '../../businesses/letter-settings.ts'
import type { ClaimedNotification } from '../../events/notification.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { InvoiceSource } from '../invoices/invoice-data.ts'
import type { LetterContent } from '../templates/letter-view.ts'
import type { LetterWords } from '../templates/letter-words.ts'
import type { LetterSources, NewCardLink } from './letter-sources.ts'

/** A letter before it is known to whom, and in which language. */
export interface LetterDraft {
  kind: LetterKind
  /** `null`: to the merchant, or to a person. */
  customerId: string | null
  /** A person of the business, by their own address and in their own language. */
  person?: { email: string; locale: string | null }
  /** What it is about; `null` for an account. */
  objectId: string | null
  write(words: LetterWords): LetterContent
  invoice?: DraftInvoice
  /** For `LETTER_LINK`: what the link of a customer names, the link of a person, or one that is recorded with it. */
  link?: { id: string } | { url: string } | { made: NewCardLink }
}

/** The invoice that a letter brings. The same payment, or the same subscription without one, has one invoice. */
export interface DraftInvoice {
  subscriptionId: string
  paymentId: string | null
  source: Omit<InvoiceSource, 'business' | 'postalAddress' | 'taxRegistrations' | 'customer'>
}

/** What a fact is about. */
export interface FactContext {
  business: Business
  settings: LetterSettings
  sources: LetterSources
  keyring: Keyring
  notification: ClaimedNotification
}

/** The letters of a fact; none for a fact that nobody is notified of. */
export type DraftLetters = (context: FactContext) => Promise<LetterDraft[]>
