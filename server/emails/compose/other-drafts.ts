import type { Payment } from '../../../contract/payment.ts'
import type { Refund } from '../../../contract/refund.ts'
import type { NotificationData } from '../../events/notification.ts'
import type { Cents } from '../../lib/money.ts'
import { LETTER_LINK } from '../letter-link.ts'
import { cardRequest } from '../templates/card-request-letter.ts'
import { contractLink } from '../templates/contract-letter.ts'
import { endpointDisabled } from '../templates/endpoint-letter.ts'
import type { LetterWords } from '../templates/letter-words.ts'
import { type RefundFacts, refundLetter } from '../templates/refund-letter.ts'
import type { FactContext, LetterDraft } from './letter-draft.ts'
import { found } from './letter-sources.ts'
import { readPayment } from './payment-drafts.ts'

/** @see LTR-6 */
export async function draftRefund(context: FactContext): Promise<LetterDraft[]> {
  const { object, stored, facts } = await readPayment(context)
  const { refund } = (context.notification.event?.data ?? {}) as { refund?: Refund }
  if (!refund) throw new Error('the event of a refund has no refund')
  const given = {
    amount: refund.amount as Cents,
    refundedAmount: object.refunded_amount as Cents,
    extent: extentOf(refund, object),
    at: context.notification.createdAt,
    receiptId: refund.receipt_id,
    payment: facts,
  }
  return [
    {
      kind: 'refund',
      customerId: stored.customerId,
      objectId: refund.id,
      write: (words) => refundLetter(words, given),
    },
  ]
}

function extentOf(refund: Refund, { status, amount }: Payment): RefundFacts['extent'] {
  if (status !== 'refunded') return 'part'
  return refund.amount === amount ? 'whole' : 'rest'
}

/** @see LTR-8 */
export async function draftEndpointDisabled({ notification }: FactContext): Promise<LetterDraft[]> {
  const { endpoint_id, url, reason } = notification.data as NotificationData['webhook_endpoint.disabled']
  const given = { url, reason, at: notification.createdAt }
  return [
    {
      kind: 'endpoint_disabled',
      customerId: null,
      objectId: endpoint_id,
      write: (words) => endpointDisabled(words, given),
    },
  ]
}

/** Drafts the contract link; nothing if the contract was voided or signed meanwhile. @see LTR-24 */
export async function draftContractLink({ sources, notification }: FactContext): Promise<LetterDraft[]> {
  const { contract_id: id } = notification.data as NotificationData['contract.link']
  const { customerId, title, isSent } = found(await sources.contract(id), 'the contract')
  if (!isSent) return []
  const write = (words: LetterWords) => contractLink(words, { title, url: LETTER_LINK })
  return [{ kind: 'contract_link', customerId, objectId: id, link: { id }, write }]
}

/** Drafts the card request; nothing if the link was revoked or has expired meanwhile. @see LTR-7 */
export async function draftCardRequest({ sources, notification }: FactContext): Promise<LetterDraft[]> {
  const { customer_id: customerId, link_id: id } = notification.data as NotificationData['customer.card_request']
  const { expiresAt, isLive } = found(await sources.customerCardLink(id), 'the card link')
  if (!isLive) return []
  const write = (words: LetterWords) => cardRequest(words, { url: LETTER_LINK, expiresAt })
  return [{ kind: 'card_request', customerId, objectId: customerId, link: { id }, write }]
}
