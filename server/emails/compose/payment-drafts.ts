import type { Payment } from '../../../contract/payment.ts'
import type { Cents } from '../../lib/money.ts'
import { LETTER_LINK } from '../letter-link.ts'
import type { AfterLastRetry, DeclineFacts, PaymentFacts } from '../templates/letter-facts.ts'
import {
  paymentFailed,
  paymentFailedForMerchant,
  paymentSucceeded,
  paymentSucceededForMerchant,
  retriesExhausted,
  retriesExhaustedForMerchant,
} from '../templates/payment-letters.ts'
import { paymentInvoice } from './draft-invoice.ts'
import type { DraftInvoice, FactContext, LetterDraft } from './letter-draft.ts'
import { currencyOf, found, type LetterPayment, type LetterSubscription } from './letter-sources.ts'

/** Payment of an event, with what the database adds to it. */
export interface ReportedPayment {
  object: Payment
  stored: LetterPayment
  subscription: LetterSubscription | null
  facts: PaymentFacts
}

export async function readPayment(context: FactContext): Promise<ReportedPayment> {
  const { sources, notification } = context
  const object = notification.event?.data.object as Payment
  const stored = found(await sources.payment(object.id), 'the payment')
  const subscription =
    object.subscription === null ? null : found(await sources.subscription(object.subscription), 'the subscription')
  const customer = stored.customerId === null ? null : await sources.customer(stored.customerId)
  return { object, stored, subscription, facts: factsOf(object, stored, subscription, customer) }
}

function factsOf(
  object: Payment,
  stored: LetterPayment,
  subscription: LetterSubscription | null,
  customer: PaymentFacts['customer'] | null,
): PaymentFacts {
  return {
    amount: object.amount as Cents,
    currency: currencyOf(object.currency),
    taxAmount: object.tax_amount as Cents,
    surchargeAmount: object.surcharge_amount as Cents,
    card: stored.card,
    customer: { name: customer?.name ?? null, email: customer?.email ?? null },
    at: stored.createdAt,
    receiptId: object.receipt_id,
    subscription: subscription && {
      description: subscription.description,
      number: stored.number,
      installments: subscription.installments,
      nextPaymentDay: nextDayOf(object, stored, subscription),
    },
  }
}

/** Returns the day after the paid period, if a bill is expected then. @see LTR-18 */
function nextDayOf(
  { period }: Payment,
  { number }: LetterPayment,
  { status, installments, nextBillingDate, cancelAt }: LetterSubscription,
): string | null {
  const isLast = installments !== null && number >= installments
  if (period === null || isLast || status !== 'active' || cancelAt !== null || nextBillingDate === null) return null
  return period.end <= nextBillingDate ? period.end : null
}

/** @see LTR-3 */
export async function draftPaymentSucceeded(context: FactContext): Promise<LetterDraft[]> {
  const payment = await readPayment(context)
  const { object, stored, subscription, facts } = payment
  const about = { kind: 'payment_succeeded' as const, objectId: object.id }
  const invoice = subscription && laterInvoiceOf(payment, subscription)
  return [
    {
      ...about,
      customerId: stored.customerId,
      write: (words) => paymentSucceeded(words, facts, { hasInvoice: invoice !== null }),
      ...(invoice && { invoice }),
    },
    { ...about, customerId: null, write: (words) => paymentSucceededForMerchant(words, facts) },
  ]
}

/**
 * Returns the invoice of a later payment. The first bill uses the invoice that came with the letter about the
 * subscription.
 */
function laterInvoiceOf({ object, stored }: ReportedPayment, subscription: LetterSubscription): DraftInvoice | null {
  if (!subscription.hasMerchantCard || object.trigger === 'initial') return null
  const invoice = paymentInvoice(stored, subscription)
  return invoice && stored.number === 1 ? { ...invoice, paymentId: null } : invoice
}

/** @see LTR-4 */
export async function draftPaymentFailed(context: FactContext): Promise<LetterDraft[]> {
  const { business, sources } = context
  const { object, stored, subscription, facts } = await readPayment(context)
  const decline = declineOf(object, context)
  const about = { kind: 'payment_failed' as const, objectId: object.id }
  const ending = endingOf(object, decline, business.afterLastRetry)
  const made = subscription && sources.newCardLink(subscription, context.notification.createdAt)
  const newCard = made && { url: LETTER_LINK, expiresAt: made.expiresAt }
  return [
    {
      ...about,
      customerId: stored.customerId,
      ...(made && { link: { made } }),
      write: (words) => paymentFailed(words, { payment: facts, decline, ending, newCard }),
    },
    {
      ...about,
      customerId: null,
      write: (words) => paymentFailedForMerchant(words, { payment: facts, decline, ending }),
    },
  ]
}

function declineOf({ failure_code, failure_message, ...object }: Payment, { sources }: FactContext): DeclineFacts {
  return {
    code: failure_code ?? '',
    message: failure_message ?? '',
    attempt: object.attempt ?? 1,
    attemptsMax: object.trigger === 'resume' ? 1 : sources.attemptsMax,
    nextAttemptAt: object.next_retry_at === null ? null : new Date(object.next_retry_at * 1_000),
  }
}

/** Returns what has become of the subscription, unless a letter about the last attempt says so. */
function endingOf(
  { trigger }: Payment,
  { attempt, attemptsMax, nextAttemptAt }: DeclineFacts,
  afterLastRetry: AfterLastRetry,
): Exclude<AfterLastRetry, 'keep'> | null {
  if (trigger === 'resume') return 'pause'
  if (nextAttemptAt !== null || attempt === attemptsMax || afterLastRetry === 'keep') return null
  return afterLastRetry
}

/** @see LTR-5 */
export async function draftRetriesExhausted(context: FactContext): Promise<LetterDraft[]> {
  const { object, stored, facts } = await readPayment(context)
  const { afterLastRetry } = context.business
  const given = { payment: facts, decline: declineOf(object, context), afterLastRetry }
  const about = { kind: 'retries_exhausted' as const, objectId: object.id }
  return [
    { ...about, customerId: stored.customerId, write: (words) => retriesExhausted(words, given) },
    { ...about, customerId: null, write: (words) => retriesExhaustedForMerchant(words, given) },
  ]
}
