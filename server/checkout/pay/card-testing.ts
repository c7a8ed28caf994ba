import type { FastifyBaseLogger } from 'fastify'
import type { Business } from '../../businesses/business.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import {
  deleteRefusedCardTries,
  findEarlierTries,
  findStoredCardDeclines,
  hasPaid,
  insertRefusedCardTry,
  refuseNewCards,
} from './card-testing-queries.ts'

// Thieves learn on payment forms which stolen numbers still work: many cards from one place, one card over many sessions,
// or both spread over many addresses. The three tries of a session do not hinder them.
//
// Only numbers that are typed can be tried, so typed and stored cards are counted apart: what a stranger types neither blocks the
// customer who has that card stored, nor is it excused by what that customer pays.
//
// What was tried is read from the operations, so all processes see the same, and a restart forgets nothing. Requests that
// run at the same moment do not see each other; the limits of the pay path bound how many those are.

/** A family has a few cards and an office behind one address some more; a thief has hundreds. */
const CARDS_OF_ADDRESS_MAX = 10
/** Two sessions of three tries are a payer who insists. Card networks fine merchants for many more. */
const DECLINES_OF_CARD_MAX = 5
const COUNTED_SECONDS = 3_600
/** Shops see one decline in ten tries. Both must be exceeded, so that neither a small shop's bad luck nor a big one's trade does it. */
const BURST_DECLINES_MAX = 20
const BURST_SECONDS = 600
/** Long enough to spoil the attack, short enough for the payers that it turns away. */
const BURST_REFUSED_SECONDS = 600

/** One try, before anything of it is written. */
export interface CardTry {
  business: Pick<Business, 'id' | 'newCardsRefusedUntil'>
  /** As `addressForCounting` writes it. */
  payerIpPrefix: string
  fingerprint: Buffer
  /** `null` for a typed card. */
  storedCardId: string | null
}

export interface CardTestingDefence {
  /** @throws ApiError `rate_limited` with `Retry-After`; nothing was sent, and it is not an attempt */
  refuse(tried: CardTry): Promise<void>
  /** The card is saved already, and was not sent: whoever asks learnt that, so it counts like a decline. */
  duplicate(tried: CardTry): Promise<void>
  /** After each decline: looks whether the business is under attack. Never throws. */
  declined(businessId: string): Promise<void>
}

/** `RIALTO_RATE_LIMITS=off`, staging only. */
export const noCardTestingDefence: CardTestingDefence = {
  refuse: async () => {},
  duplicate: async () => {},
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
    async refuse(tried) {
      await refuseInBurst(services, tried)
      await (tried.storedCardId === null ? refuseRepeated : refuseStoredCard)(services, tried)
    },
    async duplicate({ business, payerIpPrefix, fingerprint }) {
      await insertRefusedCardTry(services.db, {
        business_id: business.id,
        id: newId(),
        payer_ip_prefix: payerIpPrefix,
        card_fingerprint: fingerprint,
        tried_at: services.clock.now(),
      })
      services.count('duplicate')
    },
    async declined(businessId) {
      try {
        await raiseAlarm(services, businessId)
      } catch (error) {
        services.log.warn({ err: error, business: businessId }, 'declines could not be counted')
      }
    },
  }
}

/** What the limits no longer look back at. */
export function forgetRefusedCardTries({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  return deleteRefusedCardTries(db, addSeconds(clock.now(), -COUNTED_SECONDS))
}

async function refuseInBurst({ db, clock, count }: Services, { business, payerIpPrefix, storedCardId }: CardTry) {
  const { id, newCardsRefusedUntil: until } = business
  const now = clock.now()
  if (until === null || until <= now || storedCardId !== null || (await hasPaid(db, id, payerIpPrefix))) return
  count('burst')
  throw refusal('New cards are refused for some minutes, because many were declined.', until, now)
}

async function refuseRepeated({ db, clock, count }: Services, { business, payerIpPrefix, fingerprint }: CardTry) {
  const now = clock.now()
  const since = addSeconds(now, -COUNTED_SECONDS)
  const { otherCards, firstCardAt, declines, firstDeclineAt } = await findEarlierTries(db, {
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

/** A stored card has its own declines alone, and no address tries numbers with it. */
async function refuseStoredCard({ db, clock, count }: Services, { business, fingerprint, storedCardId }: CardTry) {
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
