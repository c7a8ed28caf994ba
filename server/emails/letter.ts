import type { LetterAudience, LetterKind } from '../../contract/letters.ts'
import type { Locale } from '../../contract/payment-page.ts'

/** Status of a letter. `kept`: without a mail server nothing is sent, and the mailbox shows the letter (LTR-15). */
export type LetterStatus = 'pending' | 'sent' | 'kept' | 'failed'

/** Letter as composed. Every attempt sends the same content. */
export interface NewLetter {
  businessId: string
  id: string
  notificationId: string
  kind: LetterKind
  audience: LetterAudience
  /** A single address. */
  recipient: string
  senderName: string
  replyTo: string | null
  locale: Locale
  subject: string
  html: string
  text: string
  /** Invoice that is attached. */
  invoiceId: string | null
  /** Object that the letter is about: a subscription, a payment, a refund, an endpoint. */
  objectId: string | null
  /** Customer it was written for; `null` if it is for the merchant or a person. */
  customerId: string | null
  /** Object that the link of a customer names (LTR-110); `null` without a link. */
  linkId: string | null
  /** Link with the code of a person, sealed; wiped once the letter is sent. */
  sealedLink: Buffer | null
  /** Time in the business's time. */
  createdAt: Date
}

export interface Letter extends NewLetter {
  status: LetterStatus
  /** Number of attempts that began, including those whose process ended. */
  attempts: number
  /** Real time, like `finishedAt`; `null` before the first attempt. */
  firstAttemptAt: Date | null
  lastError: string | null
  finishedAt: Date | null
}

/** Letter that a worker has claimed. Its results count only while `attempts` is unchanged. */
export type ClaimedLetter = Pick<Letter, keyof NewLetter | 'attempts'> & { firstAttemptAt: Date }
