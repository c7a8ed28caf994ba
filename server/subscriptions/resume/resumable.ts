import { ApiError, invalidField } from '../../lib/errors.ts'
import type { Pause, ResumePath } from '../pause.ts'
import { dayOf } from '../plan/calendar.ts'
import { quoteHash } from '../plan/quote.ts'
import { type ResumeTerms, resumeTerms } from '../plan/resume-terms.ts'
import { conflict, firstUnpaidDay, type LoadedSubscription } from '../subscription.ts'

export type Anchor = 'now' | 'unchanged'

export interface PausedSubscription extends LoadedSubscription {
  pause: Pause
}

/** What a resume would do, decided now. */
export interface ResumeOffer {
  paused: PausedSubscription
  terms: ResumeTerms
  path: ResumePath
  /** Hash of the quote; `null` for a resume that does not charge. */
  quote: string | null
}

/**
 * Decides what a resume would do.
 *
 * @param now in the business's time
 * @throws ApiError `conflict` if the subscription cannot be resumed now
 * @see SUB-10, SUB-26 to SUB-29
 */
export function offerResume(loaded: LoadedSubscription, anchor: Anchor, now: Date): ResumeOffer {
  const paused = requirePaused(loaded)
  const { subscription, pause } = paused
  const { paid, timeZone: zone } = subscription
  const terms = resumeTerms({
    now,
    zone,
    anchor,
    segment: { anchor: subscription.anchorDate, cadence: subscription.cadence },
    paidThrough: firstUnpaidDay(subscription),
    paidFrom: paid && dayOf(paid.from, zone),
    unused: pause.unusedTimeBehavior,
    remainingSeconds: pause.remainingPaidSeconds,
    billTotal: subscription.amount,
    nextPeriodNo: subscription.nextPeriodNo,
  })
  const path = anchor === 'now' ? 'from_today' : 'original_schedule'
  return { paused, terms, path, quote: terms.isQuoted ? quoteOf(paused, terms, now) : null }
}

function requirePaused(loaded: LoadedSubscription): PausedSubscription {
  const { subscription, pause, isCharging } = loaded
  if (subscription.status !== 'paused' || pause === null)
    throw conflict(`The subscription is ${subscription.status}. Only a paused one can be resumed.`)
  if (isCharging) throw conflict('The subscription is being charged. Try again when the charge has an outcome.')
  return { ...loaded, pause }
}

function quoteOf({ subscription, pause }: PausedSubscription, terms: ResumeTerms, now: Date): string {
  const { taxAmount: tax, surchargeAmount: surcharge, amount: total } = subscription
  const base = (total - tax - surcharge) as typeof total
  return quoteHash({
    businessId: subscription.businessId,
    subscriptionId: subscription.id,
    subscriptionVersion: subscription.version,
    pauseId: pause.id,
    priceId: subscription.items[0]?.priceId ?? '',
    unitAmount: subscription.unitAmount,
    quantity: subscription.quantity,
    taxRatePpm: subscription.taxRatePpm,
    surchargeRatePpm: subscription.surchargeRatePpm,
    amounts: { base, tax, surcharge, total },
    currency: subscription.currency,
    paymentMethodId: subscription.storedCardId,
    newPeriodStart: terms.newPeriodStart,
    newPeriodEnd: terms.newPeriodEnd,
    quotedOn: dayOf(now, subscription.timeZone),
  })
}

/**
 * Checks that a resume that charges names the terms that were shown. One that does not charge ignores the hash.
 *
 * @throws ApiError `validation_failed` if the hash is missing; `quote_stale` if it belongs to other terms
 * @see SUB-31
 */
export function checkQuote({ quote }: ResumeOffer, given: string | undefined): void {
  if (quote === null) return
  if (given === undefined)
    throw invalidField('quote_hash', 'is required, because this resume charges: send that of its preview')
  if (given !== quote) throw quoteStale()
}

export const quoteStale = () =>
  new ApiError('quote_stale', {
    message: 'The terms have changed since the preview. Request a new preview.',
    errors: { quote_hash: ['is of other terms'] },
  })
