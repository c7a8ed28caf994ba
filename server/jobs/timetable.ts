import type { Timetable } from './job.ts'

const MINUTE_MS = 60_000
/**
 * Delay after the full minute, so that processes whose clocks differ by less enqueue in the same minute of the
 * database.
 */
const PAST_MINUTE_MS = 500

export const minutes = (everyMinutes: number): Timetable => ({ everyMinutes })

/** @param minute of each hour */
export const hourly = (minute: number): Timetable => ({ everyMinutes: 60, from: minute })

/** @param time time of day in UTC, such as `04:17` */
export function daily(time: string): Timetable {
  const [hours = 0, minute = 0] = time.split(':').map(Number)
  return { everyMinutes: 24 * 60, from: hours * 60 + minute }
}

export function nextRun({ everyMinutes, from = 0 }: Timetable, now: number): number {
  const period = everyMinutes * MINUTE_MS
  const first = from * MINUTE_MS + PAST_MINUTE_MS
  return first + (Math.floor((now - first) / period) + 1) * period
}

/**
 * Calls `run` at each time of the timetable.
 *
 * @returns a function that stops it
 */
export function startTimetable(timetable: Timetable, run: () => void): () => void {
  let timer: NodeJS.Timeout
  const arm = (after: number) => {
    const at = nextRun(timetable, after)
    timer = setTimeout(() => {
      run()
      // A timer may fire early; the next run is still after this one.
      arm(Math.max(at, Date.now()))
    }, at - Date.now())
  }
  arm(Date.now())
  return () => clearTimeout(timer)
}
