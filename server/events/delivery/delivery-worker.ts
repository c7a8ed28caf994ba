import { createClaimer } from './claimer.ts'
import type { ClaimedDelivery, DeliveryServices } from './delivery.ts'
import { createFinder } from './finder.ts'
import { createLanes, type Lane } from './lanes.ts'
import { createSender } from './sender.ts'

export interface DeliveryWorker {
  start(): void
  /** Waits until attempts in progress are finished and recorded. */
  stop(): Promise<void>
}

/** Delivers webhooks. Any number of processes may do so at the same time. */
export function createDeliveryWorker(services: DeliveryServices): DeliveryWorker {
  const lanes = createLanes()
  const sender = createSender(services, lanes)
  const claimer = createClaimer(services, lanes, begin)
  const finder = createFinder(services, (businessId, endpointId) => claimer.claim(lanes.of(businessId, endpointId)))
  const underWay = new Set<Promise<void>>()

  function begin(lane: Lane, delivery: ClaimedDelivery): void {
    const sent = send(lane, delivery).finally(() => underWay.delete(sent))
    underWay.add(sent)
  }

  async function send(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    const dueAt = await sender.send(lane, delivery).catch((error: unknown) => {
      const what = 'a webhook could not be sent; it is sent when its lease ends'
      services.log.error({ err: error, event: delivery.eventId }, what)
      return null
    })
    if (dueAt) finder.dueAt(dueAt)
    lanes.release(lane, 1)
    if (lane.mayHaveMore) claimer.claim(lane)
    else claimer.pump()
  }

  return {
    start: finder.start,
    async stop() {
      await finder.stop()
      await claimer.stop()
      await Promise.all(underWay)
      await sender.close()
    },
  }
}
