import type { Dispatcher } from 'undici'
import { onOutbox } from '../../db/outbox.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { createClaimer } from './claimer.ts'
import type { ClaimedDelivery, DeliveryServices } from './delivery.ts'
import { findReceivingEndpoints, findWaitingEndpoints } from './delivery-queries.ts'
import { createLanes, type Lane } from './lanes.ts'
import { createPoll } from './poll.ts'
import { createRecorder } from './recorder.ts'
import { attemptResult } from './retry-schedule.ts'
import { targetAgent } from './target-agent.ts'

export interface DeliveryWorker {
  start(): void
  /** Waits for attempts under way, and until they are recorded. */
  stop(): Promise<void>
}

/** Of a business that has no endpoint: the next look finds one that was made meanwhile. */
const LOOK_SOON_MS = 1_000

/** Delivers webhooks. Any number of processes may, at the same time. */
export function createDeliveryWorker(services: DeliveryServices): DeliveryWorker {
  const { db, clock, log, timings, environment, faults, resolveName } = services
  const lanes = createLanes()
  const recorder = createRecorder(services)
  const claimer = createClaimer(services, lanes, begin)
  const receiving = createTtlCache<string[]>(clock)
  const poll = createPoll(look, { log, everyMs: timings.pollMs })
  const underWay = new Set<Promise<void>>()
  let agent: Dispatcher | undefined
  let stopListening = () => {}

  /** Finds what other processes left, and what has become due. */
  async function look(): Promise<void> {
    const now = clock.now()
    for (const { businessId, endpointId, dueAt } of await findWaitingEndpoints(db)) {
      const inMs = Number(dueAt) - now.getTime()
      if (inMs <= 0) claimer.claim(lanes.of(businessId, endpointId))
      else poll.within(inMs)
    }
  }

  async function wake(businessId: string): Promise<void> {
    const endpointIds = await receiving.get(businessId, () => findReceivingEndpoints(db, businessId))
    if (!endpointIds?.length) poll.within(LOOK_SOON_MS)
    for (const id of endpointIds ?? []) claimer.claim(lanes.of(businessId, id))
  }

  function begin(lane: Lane, delivery: ClaimedDelivery): void {
    const delivered = deliver(lane, delivery)
      .catch((error: unknown) =>
        log.error({ err: error, event: delivery.eventId }, 'a webhook could not be sent; its lease will end'),
      )
      .finally(() => {
        underWay.delete(delivered)
        lanes.release(lane, 1)
        if (lane.mayHaveMore || delivery.ordered) claimer.claim(lane)
        else claimer.pump()
      })
    underWay.add(delivered)
  }

  async function deliver(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    agent ??= targetAgent({ environment, connectTimeoutMs: timings.timeoutMs, resolveName })
    const tooLong = setTimeout(() => lanes.setSlow(lane, true), timings.slowMs)
    const attempt = await attemptDelivery(services, agent, delivery).finally(() => clearTimeout(tooLong))
    faults.reach('after:delivery_post')
    lanes.setSlow(lane, attempt.durationMs >= timings.slowMs)
    const result = attemptResult(attempt, delivery, { timings, now: clock.now() })
    await recorder.record({ delivery, attempt, result })
    services.countDelivery(result.status === 'pending' ? 'retried' : result.status)
    if (result.status === 'pending') poll.within(result.dueAt.getTime() - clock.now().getTime())
  }

  return {
    start() {
      stopListening = onOutbox((businessId) => {
        wake(businessId).catch((error: unknown) => log.warn({ err: error }, 'endpoints could not be read; retrying'))
      })
      poll.start()
    },
    async stop() {
      stopListening()
      await poll.stop()
      await claimer.stop()
      while (underWay.size > 0) await Promise.all(underWay)
      await agent?.destroy()
    },
  }
}
