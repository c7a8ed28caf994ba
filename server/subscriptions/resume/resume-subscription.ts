import type { ResumedSubscription, ResumeRequest } from '../../../contract/subscription.ts'
import { businessNow } from '../../businesses/business.ts'
import { findTerminal } from '../../businesses/terminal-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { requireSigned } from '../contract.ts'
import { findCurrentSubscription, saveTransition, type WhichSubscription } from '../lifecycle/change-subscription.ts'
import { conflict, noSuchSubscription } from '../subscription.ts'
import { type DetailServices, readObject } from '../subscription-details.ts'
import { lockSubscription } from '../subscription-queries.ts'
import { respondOnce } from './respond-once.ts'
import { checkQuote, offerResume, quoteStale, type ResumeOffer } from './resumable.ts'
import { openResumeCard } from './resume-card.ts'
import { type ResumeCharge, resumeCharge } from './resume-charge.ts'
import { readKey } from './resume-key.ts'
import { type ClaimedKey, storeResponse } from './resume-request-queries.ts'
import { resumedFree } from './resumed.ts'

export type ResumeServices = ChargeServices & DetailServices

interface ResumeOrder extends WhichSubscription {
  body: ResumeRequest
  chargeId: string | undefined
  claim: ClaimedKey | null
}

/**
 * Ends a pause: from today, using the remaining paid time or charging a full bill; or on the original schedule, without
 * a charge.
 *
 * @param idempotencyKey the header
 * @param chargeId a new one by default; no id is charged twice
 * @throws ApiError `validation_failed`, `not_found`, `contract_unsigned`, `conflict`, `quote_stale`,
 *   `idempotency_key_reused`; `card_declined` if the charge is declined, unknown or not sent
 * @see SUB-26 to SUB-33
 */
export async function resumeSubscription(
  services: ResumeServices,
  {
    body,
    idempotencyKey,
    chargeId,
    ...which
  }: WhichSubscription & { body: ResumeRequest; idempotencyKey: string | null; chargeId?: string },
): Promise<ResumedSubscription> {
  const request = readKey(idempotencyKey, body, { businessId: which.business.id, subscriptionId: which.id })
  await findCurrentSubscription(services, which)
  return respondOnce(services, request, async (claim) => {
    const order = { ...which, body, chargeId, claim }
    const offer = await readOffer(services, order)
    return offer.quote === null ? resumeFree(services, order) : resumeByCharge(services, order, offer)
  })
}

async function readOffer(services: ResumeServices, { body, ...which }: ResumeOrder): Promise<ResumeOffer> {
  const loaded = await findCurrentSubscription(services, which)
  const offer = offerResume(loaded, body.billing_cycle_anchor, businessNow(services.clock, which.business))
  requireSigned(loaded)
  checkQuote(offer, body.quote_hash)
  return offer
}

/**
 * Resumes without a charge, under the lock, because the beginning of a charge does not change the version: of two
 * concurrent resumes, one that charges and one that does not, only one takes effect.
 */
function resumeFree(
  services: ResumeServices,
  { business, id, body, claim }: ResumeOrder,
): Promise<ResumedSubscription> {
  return transaction(services.db, async (tx) => {
    const loaded = await lockSubscription(tx, business.id, id)
    if (!loaded) throw noSuchSubscription()
    const now = businessNow(services.clock, business)
    const offer = offerResume(loaded, body.billing_cycle_anchor, now)
    requireSigned(loaded)
    if (offer.quote !== null) throw conflict('The paid time has changed meanwhile. Request a new preview.')
    const within = { ...services, db: tx }
    const transition = { ...resumedFree(offer, now), event: 'subscription.resumed' as const }
    const changed = await saveTransition(within, loaded, transition, now)
    if (!changed) throw new Error('a locked subscription was changed by another writer')
    const response = { ...(await readObject(within, changed)), payment: null }
    if (claim) await storeResponse(tx, claim, { status: 200, body: response })
    return response
  })
}

async function resumeByCharge(
  services: ResumeServices,
  order: ResumeOrder,
  offer: ResumeOffer,
): Promise<ResumedSubscription> {
  const { business, chargeId, claim } = order
  const plan = await beforeIntent(services, async () =>
    resumeCharge(services, await readCharge(services, { business, offer, chargeId, claim })),
  )
  const charged = await charge(services, plan)
  if (charged.outcome === 'blocked') {
    // Another resume is being charged, or the subscription or its card has changed.
    await readOffer(services, order)
    await openResumeCard(services, offer.paused.subscription)
    throw quoteStale()
  }
  // Like a decline (SUB-33).
  if (charged.outcome !== 'recorded')
    throw new ApiError('card_declined', {
      message: charged.message,
      extra: { charged: charged.outcome === 'unknown' ? null : false },
    })
  const { resumed, declined } = charged.response
  if (declined) throw declined
  if (!resumed) throw new Error('a resume has no response')
  return resumed
}

async function readCharge(
  services: ResumeServices,
  order: Pick<ResumeOrder, 'business' | 'chargeId' | 'claim'> & { offer: ResumeOffer },
): Promise<ResumeCharge> {
  const { business, offer } = order
  const { subscription } = offer.paused
  const card = await openResumeCard(services, subscription)
  const terminal = await findTerminal(services.db, business.id, subscription.currency)
  if (!terminal) throw new Error('the business has no terminal')
  return { ...order, terminal, card }
}
