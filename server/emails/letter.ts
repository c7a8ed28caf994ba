import type { LetterAudience, LetterKind } from '../../contract/letters.ts'
import type { Locale } from '../../contract/payment-page.ts'

/** `kept`: without a mail server nothing is sent, and the letter stays where the mailbox shows it (LTR-15). */
export type LetterStatus = 'pending' | 'sent' | 'kept' | 'failed'

/** A letter as it is composed. Every attempt to send it sends the same. */
export interface NewLetter {
  businessId: string
  id: string
  notificationId: string
  kind: LetterKind
  audience: LetterAudience
  /** One address. */
  recipient: string
  senderName: string
  replyTo: string | null
  locale: Locale
  subject: string
  html: string
  text: string
  /** The invoice that is attached. */
  invoiceId: string | null
  /** What the letter is about: a subscription, a payment, a refund, an endpoint. */
  objectId: string | null
  /** Whom it was written for; `null` for the merchant, and for a person. */
  customerId: string | null
  /** What the link of a customer names (LTR-110); `null` without one. */
  linkId: string | null
  /** The link with a code of a person, until it is sent. */
  sealedLink: Buffer | null
  /** In the time of the business. */
  createdAt: Date
}

export interface Letter extends NewLetter {
  status: LetterStatus
  /** Attempts that began, including those whose process ended. */
  attempts: number
  /** Real time, like `finishedAt`; null before the first attempt. */
  firstAttemptAt: Date | null
  lastError: string | null
  finishedAt: Date | null
}

/** A letter that a worker has claimed. Its results count only while `attempts` is unchanged. */
export type ClaimedLetter = Pick<Letter, keyof NewLetter | 'attempts'> & { firstAttemptAt: Date }
