import { setTimeout as sleep } from 'node:timers/promises'
import type { MadeAttempt } from './attempt-queries.ts'
import type { DeliveryServices } from './delivery.ts'
import { recordBatch } from './record-attempts.ts'

/** Number of concurrent statements, limited so that connections are left for payments. */
const AT_ONCE = 2
const BATCH_MAX = 200
/** Delay before the first retry; doubled each time, until the lease has ended. */
const RETRY_MS = 100
const TRIES_MAX = 8

export interface Recorder {
  /**
   * Resolves when the attempt is recorded, or when that has failed: then the lease ends, and the delivery is sent
   * again.
   */
  record(made: MadeAttempt): Promise<void>
}

interface Pending {
  made: MadeAttempt
  done: () => void
}

/**
 * Records attempts in batches: those that end while an earlier batch of the business is being recorded are recorded
 * together.
 */
export function createRecorder(services: DeliveryServices): Recorder {
  const pending = new Map<string, Pending[]>()
  const busy = new Set<string>()

  function pump(): void {
    for (const [businessId, waiting] of pending) {
      if (busy.size >= AT_ONCE) return
      if (busy.has(businessId)) continue
      const batch = waiting.splice(0, BATCH_MAX)
      if (waiting.length === 0) pending.delete(businessId)
      busy.add(businessId)
      void recordWithRetries(services, businessId, batch).then(() => {
        busy.delete(businessId)
        for (const { done } of batch) done()
        pump()
      })
    }
  }

  return {
    record(made) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const { businessId } = made.delivery
      const waiting = pending.get(businessId) ?? []
      pending.set(businessId, waiting)
      waiting.push({ made, done: resolve })
      pump()
      return promise
    },
  }
}

async function recordWithRetries(services: DeliveryServices, businessId: string, batch: Pending[]): Promise<void> {
  const { log } = services
  const made = batch.map((one) => one.made)
  for (let tried = 1; ; tried++) {
    try {
      return await recordBatch(services, { businessId, made })
    } catch (error) {
      log.warn({ err: error, count: made.length, tried }, 'webhook attempts could not be recorded')
      if (tried === TRIES_MAX) return
    }
    await sleep(RETRY_MS * 2 ** (tried - 1))
  }
}
