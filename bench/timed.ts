import { performance } from 'node:perf_hooks'

export interface LoadResult {
  done: number
  failed: number
  perSecond: number
  /** Median in milliseconds. */
  p50: number
  p99: number
}

/**
 * Repeats an operation on many connections at once.
 *
 * @param open returns the work of one connection, and how to close it; the work returns whether it succeeded, or that
 * nothing is left
 */
export async function timed(
  { connections, seconds }: { connections: number; seconds: number },
  open: () => { once(): Promise<boolean | 'nothing left'>; close(): Promise<unknown> },
): Promise<LoadResult> {
  const times: number[] = []
  let failed = 0
  const start = performance.now()
  const end = start + seconds * 1000
  const worker = async () => {
    const { once, close } = open()
    while (performance.now() < end) {
      const began = performance.now()
      const result = await once()
      if (result === 'nothing left') break
      if (result) times.push(performance.now() - began)
      else failed += 1
    }
    await close()
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const took = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
  return { done: times.length, failed, perSecond: Math.round(times.length / took), p50: at(0.5), p99: at(0.99) }
}
