import type { ClaimedLetter, NewLetter } from '../../server/emails/letter.ts'
import { newId } from '../../server/lib/ids.ts'

/** Returns a letter about a payment, as it is composed. */
export function newLetter(change: Partial<NewLetter> = {}): NewLetter {
  return {
    businessId: newId(),
    id: newId(),
    notificationId: newId(),
    kind: 'payment_succeeded',
    audience: 'customer',
    recipient: 'ana@customer.example',
    senderName: 'Corner Shop',
    replyTo: null,
    locale: 'en',
    subject: 'Your payment of $25.50',
    html: '<p>You paid <b>$25.50</b>.</p>',
    text: 'You paid $25.50.',
    invoiceId: null,
    objectId: null,
    customerId: null,
    linkId: null,
    sealedLink: null,
    createdAt: new Date('2026-11-22T15:00:00Z'),
    ...change,
  }
}

export function claimedLetter(change: Partial<ClaimedLetter> = {}): ClaimedLetter {
  return { ...newLetter(), attempts: 1, firstAttemptAt: new Date('2026-11-22T15:00:00Z'), ...change }
}
