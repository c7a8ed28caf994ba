import type { Page } from 'playwright-core'
import { until } from './until.ts'

/** More than the real time that can pass between the two calls below. */
const AHEAD_MS = 60_000

/**
 * Stops the time of a page: from now on it only passes by `clock.runFor` and `clock.fastForward`. After `clock.install`
 * alone, real time also passes, and the result depends on how busy the machine is.
 */
export async function stopTime(page: Page, time = new Date()): Promise<void> {
  await page.clock.install({ time: new Date(time.getTime() - AHEAD_MS) })
  await page.clock.pauseAt(time)
}

const STEP_MS = 100

/**
 * Lets the stopped time of a page pass in steps until the condition holds. A response is handled some real time after
 * it was sent, so its timer may be set later than a single `runFor`, which would then wait in vain.
 *
 * @returns how many milliseconds have passed in the page
 */
export async function passTimeUntil(page: Page, what: string, holds: () => boolean): Promise<number> {
  let passed = 0
  await until(what, async () => {
    if (holds()) return true
    await page.clock.runFor(STEP_MS)
    passed += STEP_MS
    return false
  })
  return passed
}
