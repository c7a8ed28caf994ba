import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 50

/**
 * Polls until the result is not empty.
 *
 * @throws with `what` and the last result after `withinMs`
 */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
  withinMs = 60_000,
): Promise<Found> {
  const stopWaitingAt = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined) return found
    if (performance.now() > stopWaitingAt) throw new Error(`It took longer than ${withinMs} ms until ${what}`)
    await sleep(LOOK_EVERY_MS)
  }
}
