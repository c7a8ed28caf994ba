/** Polls for due work: at regular intervals, and sooner if something is known to be due. */
export interface Poller {
  /** Polls at once, and then until it is stopped. */
  start(): void
  /** Polls after this time at the latest. */
  within(ms: number): void
  /** Waits for the poll under way. */
  stop(): Promise<void>
}

interface PollerOptions {
  everyMs: number
  /** Shortest delay of a requested poll, so that several requests share one; 0 by default. */
  gapMs?: number
  /** Polls. It never runs twice at the same time: a request during a poll runs it again. */
  poll(): Promise<void>
  /** Called with the error of a failed poll, which is repeated. */
  onError(error: unknown): void
}

export function createPoller({ everyMs, gapMs = 0, poll, onError }: PollerOptions): Poller {
  let timer: NodeJS.Timeout | undefined
  let dueMs = Number.POSITIVE_INFINITY
  let polling: Promise<void> | null = null
  let isRunning = false

  function within(ms: number): void {
    const at = performance.now() + Math.max(ms, gapMs)
    if (!isRunning || at >= dueMs) return
    dueMs = at
    if (polling) return
    clearTimeout(timer)
    timer = setTimeout(begin, Math.max(at - performance.now(), 0)).unref()
  }

  function begin(): void {
    dueMs = Number.POSITIVE_INFINITY
    polling = poll()
      .catch(onError)
      .then(() => {
        polling = null
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
      await polling
    },
  }
}
