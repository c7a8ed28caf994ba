import type { Page } from 'playwright-core'

/** Later than what real time can reach between the two calls below. */
const AHEAD_MS = 60_000

/**
 * Stops the time of a page: from now on it passes only by `clock.runFor` and `clock.fastForward`. After `clock.install`
 * alone real time passes too, and what is seen depends on how busy the machine is.
 */
export async function stopTime(page: Page, time = new Date()): Promise<void> {
  await page.clock.install({ time: new Date(time.getTime() - AHEAD_MS) })
  await page.clock.pauseAt(time)
}
