/** Civil days are `YYYY-MM-DD`; arithmetic is in UTC, which has no clock changes. */
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const DAY_MS = 86_400_000

/** Adds a number of months to a month: `2027-02`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return toDay(Date.UTC(year, number - 1 + count, 1)).slice(0, 7)
}

/** Returns the weeks that contain days of a month, each from Sunday to Saturday. */
export function weeksOf(month: string): string[][] {
  const first = timeOf(`${month}-01`)
  const start = first - new Date(first).getUTCDay() * DAY_MS
  const end = timeOf(`${addMonths(month, 1)}-01`)
  const count = Math.ceil((end - start) / (7 * DAY_MS))
  return Array.from({ length: count }, (_none, week) =>
    Array.from({ length: 7 }, (_nothing, day) => toDay(start + (week * 7 + day) * DAY_MS)),
  )
}
