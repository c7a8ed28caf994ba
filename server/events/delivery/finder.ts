import { onOutbox } from '../../db/outbox.ts'
import { createPoller } from '../../jobs/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { DeliveryServices } from './delivery.ts'
import { findReceivingEndpoints, findWaitingEndpoints } from './delivery-queries.ts'

export interface Finder {
  start(): void
  /** Looks for due deliveries at that instant. */
  dueAt(instant: Date): void
  stop(): Promise<void>
}

/**
 * Time until the next poll if the cached endpoints of a business were used: the poll finds an endpoint that was created
 * or enabled meanwhile.
 */
const POLL_SOON_MS = 1_000
/** Retries that are due at nearly the same time are found by a single poll. */
const GAP_MS = 20

/**
 * Finds endpoints at which something is due: immediately after a commit by this process; by polling for retries and for
 * what other processes left behind.
 */
export function createFinder(
  { db, clock, log, timings }: DeliveryServices,
  found: (businessId: string, endpointId: string) => void,
): Finder {
  const poller = createPoller({
    everyMs: timings.pollMs,
    gapMs: GAP_MS,
    poll: findDue,
    onError: (error) => log.warn({ err: error }, 'due webhooks could not be read; retrying'),
  })
  const receiving = createTtlCache<string[]>(clock)
  let stopListening = () => {}
  const dueAt = (instant: Date) => poller.within(instant.getTime() - clock.now().getTime())

  async function findDue(): Promise<void> {
    const now = clock.now()
    for (const waiting of await findWaitingEndpoints(db)) {
      if (waiting.dueAt instanceof Date && waiting.dueAt > now) dueAt(waiting.dueAt)
      else found(waiting.businessId, waiting.endpointId)
    }
  }

  async function wake(businessId: string): Promise<void> {
    let isReadAnew = false
    const read = () => {
      isReadAnew = true
      return findReceivingEndpoints(db, businessId)
    }
    const endpointIds = (await receiving.get(businessId, read)) ?? []
    if (!isReadAnew) poller.within(POLL_SOON_MS)
    for (const id of endpointIds) found(businessId, id)
  }

  return {
    start() {
      stopListening = onOutbox(({ businessId }) => {
        wake(businessId).catch((error: unknown) => log.warn({ err: error }, 'endpoints could not be read; retrying'))
      })
      poller.start()
    },
    dueAt,
    async stop() {
      stopListening()
      await poller.stop()
    },
  }
}
