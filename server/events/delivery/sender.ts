import type { Dispatcher } from 'undici'
import { addSeconds } from '../../lib/clock.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import type { ClaimedDelivery, DeliveryServices } from './delivery.ts'
import type { Lane, Lanes } from './lanes.ts'
import { createRecorder } from './recorder.ts'
import { attemptResult } from './retry-schedule.ts'
import { targetAgent } from './target-agent.ts'

export interface Sender {
  /** @returns when the next attempt is due; `null` if there is none */
  send(lane: Lane, delivery: ClaimedDelivery): Promise<Date | null>
  close(): Promise<void>
}

/** Makes attempts and records them. */
export function createSender(services: DeliveryServices, lanes: Lanes): Sender {
  const { clock, timings, webhookTargets: rules, faults, resolveName, countDelivery } = services
  const recorder = createRecorder(services)
  let agent: Dispatcher | undefined
  return {
    async send(lane, delivery) {
      // If this process was suspended, another one may have claimed the delivery and sent later ones, too.
      if (clock.now() > addSeconds(delivery.leaseUntil, -timings.timeoutMs / 1_000)) return delivery.leaseUntil
      agent ??= targetAgent({ rules, connectTimeoutMs: timings.timeoutMs, resolveName })
      const tooLong = setTimeout(() => lanes.setSlow(lane, true), timings.slowMs)
      const attempt = await attemptDelivery(services, agent, delivery).finally(() => clearTimeout(tooLong))
      faults.reach('after:delivery_post')
      lanes.setSlow(lane, attempt.durationMs >= timings.slowMs)
      const result = attemptResult(attempt, delivery, { timings, now: clock.now() })
      await recorder.record({ delivery, attempt, result })
      countDelivery(result.status === 'pending' ? 'retried' : result.status)
      return result.status === 'pending' ? result.dueAt : null
    },
    close: async () => agent?.destroy(),
  }
}
