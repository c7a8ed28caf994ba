import { emailOnTheWire, isEmailAddress } from '../../lib/email-address.ts'
import type { ClaimedLetter } from '../letter.ts'
import { headerText } from './header-text.ts'

const SENDER_CHARACTERS_MAX = 100
const SUBJECT_CHARACTERS_MAX = 200

/** File attached to a letter. */
export interface Attachment {
  fileName: string
  mediaType: string
  content: Buffer
}

/** Message as given to the mail server. */
export interface Message {
  /** Envelope: one sender, one recipient. */
  from: string
  to: string
  bytes: Buffer
}

/** Thrown if the letter can never be sent. */
export class UnusableLetter extends Error {
  override readonly name = 'UnusableLetter'
}

/** Returns the Message-ID; it is the same for each attempt, so that a recipient's server recognizes a second copy. */
export const messageIdOf = ({ id }: { id: string }, from: string) => `<${id}@${from.slice(from.indexOf('@') + 1)}>`

/**
 * Builds the message of a letter. Every attempt builds the same bytes: nothing in it is random, and its date is that of
 * the first attempt.
 *
 * @param from address of the sender
 * @throws UnusableLetter if the recipient is not exactly one address
 * @see LTR-10, LTR-13
 */
export async function buildMessage(
  letter: ClaimedLetter,
  { from, attachment }: { from: string; attachment: Attachment | null },
): Promise<Message> {
  const { recipient: to, senderName, replyTo, subject, locale, firstAttemptAt } = letter
  if (!isEmailAddress(to)) throw new UnusableLetter('the recipient is not one e-mail address')
  const { default: MimeNode } = await import('nodemailer/lib/mime-node')
  const root = new MimeNode(attachment ? 'multipart/mixed' : 'multipart/alternative', { baseBoundary: letter.id })
  root.setHeader({
    From: { name: headerText(senderName, SENDER_CHARACTERS_MAX), address: from },
    To: emailOnTheWire(to),
    ...(replyTo !== null && isEmailAddress(replyTo) && { 'Reply-To': emailOnTheWire(replyTo) }),
    Subject: headerText(subject, SUBJECT_CHARACTERS_MAX),
    Date: firstAttemptAt.toUTCString().replace('GMT', '+0000'),
    'Message-ID': messageIdOf(letter, from),
    'Content-Language': locale,
    // Prevents out-of-office replies (RFC 3834).
    'Auto-Submitted': 'auto-generated',
  })
  const body = attachment ? root.createChild('multipart/alternative') : root
  body.createChild('text/plain; charset=utf-8').setContent(letter.text)
  body.createChild('text/html; charset=utf-8').setContent(letter.html)
  if (attachment) {
    const { fileName: filename, mediaType, content } = attachment
    root.createChild(mediaType, { filename }).setHeader('Content-Disposition', 'attachment').setContent(content)
  }
  return { from, to, bytes: await root.build() }
}
