import { setTimeout as sleep } from 'node:timers/promises'

/** Looks for due work: when woken, and at the latest after a while. */
export interface Poller {
  wake(): void
  /** Does nothing when a poll comes sooner. */
  wakeIn(ms: number): void
  /** Waits for a look that has begun. */
  stop(): Promise<void>
}

interface PollerOptions {
  pollMs: number
  /** Between two looks at least; 0 unless given. */
  gapMs?: number
  /** Never runs twice at the same time. A wake meanwhile runs it again. */
  run(): Promise<void>
  onError(error: unknown): void
}

/** Looks at once, and then until it is stopped. */
export function startPoller({ pollMs, gapMs = 0, run, onError }: PollerOptions): Poller {
  let isStopped = false
  let isWanted = false
  let running: Promise<void> | null = null
  const wake = () => {
    isWanted = true
    if (!isStopped) running ??= look().finally(() => (running = null))
  }
  const look = async () => {
    while (isWanted && !isStopped) {
      isWanted = false
      await run().catch(onError)
      if (isWanted && gapMs > 0) await sleep(gapMs)
    }
  }
  const polling = setInterval(wake, pollMs).unref()
  wake()
  return {
    wake,
    wakeIn(ms) {
      if (ms < pollMs) setTimeout(wake, Math.max(ms, 0)).unref()
    },
    async stop() {
      isStopped = true
      clearInterval(polling)
      await running
    },
  }
}
