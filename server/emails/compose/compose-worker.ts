import { onOutbox } from '../../db/outbox.ts'
import { createPoller } from '../../jobs/poller.ts'
import { type ComposeDueServices, composeDueOfAll } from './compose-due.ts'

/**
 * Polling interval, for facts of other processes and of workers that died; a commit of this process wakes the worker
 * directly.
 */
const POLL_MS = 30_000
/** Minimum time between polls, so that many simultaneous bills are read in pages, not one by one. */
const GAP_MS = 100

/** Composes letters until it is stopped. Any number of processes may do so at the same time. */
export function startComposeWorker(services: ComposeDueServices): { stop(): Promise<void> } {
  const poller = createPoller({
    everyMs: POLL_MS,
    gapMs: GAP_MS,
    async poll() {
      const retryAt = await composeDueOfAll(services)
      if (retryAt) poller.within(retryAt.getTime() - services.clock.now().getTime())
    },
    onError: (error) => services.log.warn({ err: error }, 'notifications could not be read; they are read again'),
  })
  const removeListener = onOutbox(({ notifies }) => {
    if (notifies) poller.within(0)
  })
  poller.start()
  return {
    async stop() {
      removeListener()
      await poller.stop()
    },
  }
}
