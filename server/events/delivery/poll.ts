import type { FastifyBaseLogger } from 'fastify'

export interface Poll {
  start(): void
  /** Polls after this time at the latest. */
  within(ms: number): void
  /** Waits for the poll under way. */
  stop(): Promise<void>
}

const NOT_SOONER_MS = 20

/** Polls every so often, and sooner when something is known to be due. A poll that fails is repeated. */
export function createPoll(
  look: () => Promise<void>,
  { log, everyMs }: { log: FastifyBaseLogger; everyMs: number },
): Poll {
  let timer: NodeJS.Timeout | undefined
  let dueMs = Number.POSITIVE_INFINITY
  let looking: Promise<void> | null = null
  let isRunning = false

  function within(ms: number): void {
    const at = performance.now() + Math.max(ms, NOT_SOONER_MS)
    if (!isRunning || at >= dueMs) return
    dueMs = at
    if (looking) return
    clearTimeout(timer)
    timer = setTimeout(begin, at - performance.now())
  }

  function begin(): void {
    dueMs = Number.POSITIVE_INFINITY
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, 'due webhooks could not be read; retrying'))
      .then(() => {
        looking = null
        const soonest = Math.min(dueMs - performance.now(), everyMs)
        dueMs = Number.POSITIVE_INFINITY
        within(soonest)
      })
  }

  return {
    start() {
      isRunning = true
      begin()
    },
    within,
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await looking
    },
  }
}
