import type { FastifyBaseLogger } from 'fastify'
import type { Business } from '../../businesses/business.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import {
  deleteRefusedCardAttempts,
  findEarlierAttempts,
  findStoredCardDeclines,
  hasPaid,
  insertRefusedCardAttempt,
  refuseNewCards,
} from './card-testing-queries.ts'

// Attackers use payment forms to test stolen card numbers: many cards from one address, one card on many sessions, or
// both from many addresses. The limit of three attempts per session does not stop them.
//
// Only typed numbers can be tested, so typed and stored cards are counted separately: attempts by a stranger do not
// block the customer who has stored the card, and that customer's payments do not offset the attempts.
//
// Attempts are counted from the operations, so all processes agree and a restart loses nothing. Concurrent requests do
// not see each other; the rate limits of the pay path bound their number.

/** A household has a few cards, an office behind one address has some more, and an attacker has hundreds. */
const CARDS_OF_ADDRESS_MAX = 10
/** Two sessions with three attempts each are plausible for a payer. Card networks fine merchants for many more. */
const DECLINES_OF_CARD_MAX = 5
const COUNTED_SECONDS = 3_600
/**
 * About one attempt in ten is declined. Both this number and the share of declines must be exceeded, so that neither a
 * few declines at a small shop nor many at a large one are enough.
 */
const BURST_DECLINES_MAX = 20
const BURST_SECONDS = 600
/** Long enough to stop an attack, and short enough to be acceptable for payers who are refused meanwhile. */
const BURST_REFUSED_SECONDS = 600

/** An attempt that is not recorded yet. */
export interface CardAttempt {
  business: Pick<Business, 'id' | 'newCardsRefusedUntil'>
  /** IP prefix as returned by `addressForCounting`. */
  payerIpPrefix: string
  fingerprint: Buffer
  /** `null` for a typed card. */
  storedCardId: string | null
}

export interface CardTestingDefence {
  /** @throws ApiError `rate_limited` with `Retry-After`; nothing is sent, and no attempt is counted */
  refuse(attempt: CardAttempt): Promise<void>
  /** Counts a `duplicate_card` refusal like a decline, because it confirms that the card is saved. */
  duplicate(attempt: CardAttempt): Promise<void>
  /** Counts a card that was not verified, or whose payer was not authenticated: there is no operation to count. */
  unverified(attempt: CardAttempt): Promise<void>
  /** Counts an approval refused by the business's policy, because it tells whether the code is right. Never throws. */
  refusedByPolicy(attempt: CardAttempt): Promise<void>
  /** Called after each decline: checks whether the business is under attack. Never throws. */
  declined(businessId: string): Promise<void>
}

/** Used with `RIALTO_RATE_LIMITS=off`; staging only. */
export const noCardTestingDefence: CardTestingDefence = {
  refuse: async () => {},
  duplicate: async () => {},
  unverified: async () => {},
  refusedByPolicy: async () => {},
  declined: async () => {},
}

interface Services {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  count: (what: string) => void
}

export function cardTestingDefence(services: Services): CardTestingDefence {
  return {
    async refuse(attempt) {
      await refuseInBurst(services, attempt)
      await (attempt.storedCardId === null ? refuseRepeated : refuseStoredCard)(services, attempt)
    },
    duplicate: (attempt) => countAttempt(services, attempt, 'duplicate'),
    unverified: (attempt) => countAttempt(services, attempt, 'unverified'),
    refusedByPolicy: (attempt) =>
      withoutThrowing(services, attempt.business.id, () => countAttempt(services, attempt, 'policy')),
    declined: (businessId) => withoutThrowing(services, businessId, () => raiseAlarm(services, businessId)),
  }
}

/** Logs an error instead of throwing it: once the response of a payment is decided, nothing may change it. */
async function withoutThrowing({ log }: Services, businessId: string, count: () => Promise<void>): Promise<void> {
  await count().catch((error: unknown) =>
    log.warn({ err: error, business: businessId }, 'declines could not be counted'),
  )
}

async function countAttempt(
  { db, clock, count }: Services,
  { business, payerIpPrefix, fingerprint, storedCardId }: CardAttempt,
  what: string,
): Promise<void> {
  await insertRefusedCardAttempt(db, {
    business_id: business.id,
    id: newId(),
    payer_ip_prefix: payerIpPrefix,
    card_fingerprint: fingerprint,
    stored_card_id: storedCardId,
    attempted_at: clock.now(),
  })
  count(what)
}

/** Deletes the refusals that no longer count for the limits. */
export function forgetRefusedCardAttempts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  return deleteRefusedCardAttempts(db, addSeconds(clock.now(), -COUNTED_SECONDS))
}

async function refuseInBurst({ db, clock, count }: Services, { business, payerIpPrefix, storedCardId }: CardAttempt) {
  const { id, newCardsRefusedUntil: until } = business
  const now = clock.now()
  if (until === null || until <= now || storedCardId !== null || (await hasPaid(db, id, payerIpPrefix))) return
  count('burst')
  throw refusal('New cards are temporarily refused, because many cards were declined.', until, now)
}

async function refuseRepeated({ db, clock, count }: Services, { business, payerIpPrefix, fingerprint }: CardAttempt) {
  const now = clock.now()
  const since = addSeconds(now, -COUNTED_SECONDS)
  const { otherCards, firstCardAt, declines, firstDeclineAt } = await findEarlierAttempts(db, {
    businessId: business.id,
    payerIpPrefix,
    fingerprint,
    since,
  })
  if (otherCards >= CARDS_OF_ADDRESS_MAX) {
    count('address')
    throw refusal('Too many different cards were tried from this address.', anHourAfter(firstCardAt, now), now)
  }
  refuseDeclined({ count }, declines, anHourAfter(firstDeclineAt, now), now)
}

/** Refuses a stored card by its declines alone: its number is not typed, so the address does not matter. */
async function refuseStoredCard({ db, clock, count }: Services, { business, fingerprint, storedCardId }: CardAttempt) {
  if (storedCardId === null) return
  const now = clock.now()
  const since = addSeconds(now, -COUNTED_SECONDS)
  const card = { businessId: business.id, storedCardId, fingerprint, since }
  const { declines, firstDeclineAt } = await findStoredCardDeclines(db, card)
  refuseDeclined({ count }, declines, anHourAfter(firstDeclineAt, now), now)
}

function refuseDeclined({ count }: Pick<Services, 'count'>, declines: number, until: Date, now: Date): void {
  if (declines < DECLINES_OF_CARD_MAX) return
  count('card')
  throw refusal('This card was declined too often. Use a different card.', until, now)
}

const anHourAfter = (first: Date | null, now: Date) => addSeconds(first ?? now, COUNTED_SECONDS)

async function raiseAlarm({ db, clock, log, count }: Services, businessId: string): Promise<void> {
  const now = clock.now()
  const until = addSeconds(now, BURST_REFUSED_SECONDS)
  const since = addSeconds(now, -BURST_SECONDS)
  const isNew = await refuseNewCards(db, { businessId, since, now, until, declinesMax: BURST_DECLINES_MAX })
  if (!isNew) return
  count('alarm')
  log.error({ business: businessId, until }, 'card testing: new cards of unknown payers are refused')
}

function refusal(reason: string, until: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return new ApiError('rate_limited', {
    message: `${reason} Nothing was charged. Try again in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds, charged: false },
  })
}
