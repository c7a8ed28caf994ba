import type { FastifyBaseLogger } from 'fastify'
import type { ClaimedNotification } from '../../events/notification.ts'
import { claimDueNotifications, claimNotificationsOf, postponeNotification } from '../../events/notification-queries.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { type ComposeServices, composeLetters, type FailedNotification } from './compose-letters.ts'

export interface ComposeDueServices extends ComposeServices {
  clock: Clock
  log: FastifyBaseLogger
}

/** Longer than any letter takes: a worker whose lease has ended is dead, or its letters are no longer needed. */
const LEASE_SECONDS = 60
const PAGE = 50
/**
 * Number of businesses whose letters are composed concurrently. Letters of one business are composed in the order of
 * their facts.
 */
const AT_ONCE = 3
const RETRY_SECONDS = { first: 5, max: 3_600 }
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Composes what is due, for all businesses. A notification that cannot be composed is postponed with a growing delay,
 * and does not stop the others.
 *
 * @returns when the first postponed notification is tried again; `null` if all were composed
 */
export async function composeDueOfAll(services: ComposeDueServices): Promise<Date | null> {
  let retryAt: Date | null = null
  for (;;) {
    const now = services.clock.now()
    const leaseUntil = addSeconds(now, LEASE_SECONDS)
    const taken = await claimDueNotifications(services.db, { now, leaseUntil, limit: PAGE })
    retryAt = earlier(retryAt, await composeAll(services, taken))
    if (taken.length < PAGE) return retryAt
  }
}

interface ComposeScope {
  businessId: string
  /** Time limit; what remains then is left to the workers. */
  withinMs?: number
}

/**
 * Composes everything that waits for one business, even what another worker has claimed: after this returns, the
 * letters exist.
 */
export async function composeDue(
  services: ComposeDueServices,
  { businessId, withinMs = Number.POSITIVE_INFINITY }: ComposeScope,
): Promise<void> {
  const endMs = services.clock.monotonicMs() + withinMs
  for (let after = FIRST_ID; ; ) {
    const leaseUntil = addSeconds(services.clock.now(), LEASE_SECONDS)
    const taken = await claimNotificationsOf(services.db, { businessId, after, leaseUntil, limit: PAGE })
    await composeAll(services, taken)
    const last = taken.at(-1)
    if (!last || taken.length < PAGE || services.clock.monotonicMs() >= endMs) return
    after = last.id
  }
}

async function composeAll(services: ComposeDueServices, taken: readonly ClaimedNotification[]): Promise<Date | null> {
  const ordered = taken.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const waiting = [...Map.groupBy(ordered, ({ businessId }) => businessId)]
  let retryAt: Date | null = null
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const failed = await composeOf(services, ...next)
      retryAt = earlier(retryAt, failed)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return retryAt
}

const earlier = (one: Date | null, other: Date | null) => (one && (!other || one < other) ? one : other)

/** @returns when the first notification that cannot be composed is tried again; `null` if all were composed */
async function composeOf(
  services: ComposeDueServices,
  businessId: string,
  notifications: readonly ClaimedNotification[],
): Promise<Date | null> {
  let retryAt: Date | null = null
  for (const one of await attempt(services, businessId, notifications)) {
    const dueAt = await postpone(services, one)
    retryAt = earlier(retryAt, dueAt)
  }
  return retryAt
}

/**
 * Composes notifications together; if one of them keeps everything from being written, each separately. @returns those
 * that cannot be composed
 */
async function attempt(
  services: ComposeDueServices,
  businessId: string,
  notifications: readonly ClaimedNotification[],
): Promise<FailedNotification[]> {
  try {
    return await composeLetters(services, businessId, notifications)
  } catch (error) {
    const [notification, ...others] = notifications
    if (!notification) return []
    if (others.length === 0) return [{ notification, error }]
    const failed: FailedNotification[] = []
    for (const one of notifications) failed.push(...(await attempt(services, businessId, [one])))
    return failed
  }
}

/** @returns when the notification is tried again */
async function postpone(
  { db, clock, log }: ComposeDueServices,
  { notification, error }: FailedNotification,
): Promise<Date> {
  const { id, type, attempts } = notification
  log.error({ err: error, notification: id, type, attempts }, 'letters could not be composed; trying again later')
  const retryAt = addSeconds(clock.now(), retrySeconds(attempts))
  await postponeNotification(db, notification, retryAt).catch((failure: unknown) =>
    log.warn({ err: failure, notification: id }, 'a notification could not be postponed'),
  )
  return retryAt
}

/** Returns the delay: 5 seconds, doubled with each attempt, up to an hour. */
function retrySeconds(attempts: number): number {
  return Math.min(RETRY_SECONDS.first * 2 ** (Math.min(attempts, 20) - 1), RETRY_SECONDS.max)
}
