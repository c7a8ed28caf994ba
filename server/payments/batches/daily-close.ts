import { Temporal } from 'temporal-polyfill'

/**
 * Returns the latest daily close at or before `now`. If a clock change skips the local time of the close, the close is
 * later by the length of the skipped interval.
 *
 * @param time local time of the close, `HH:MM`
 */
export function lastClose(time: string, timeZone: string, now: Date): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  const closeOn = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds)
  const today = local.toPlainDate()
  const close = closeOn(today)
  return close <= now ? close : closeOn(today.subtract({ days: 1 }))
}

/** Returns the next daily close after `now`. */
export function nextClose(time: string, timeZone: string, now: Date): Date {
  const last = Temporal.Instant.fromEpochMilliseconds(lastClose(time, timeZone, now).getTime())
  const day = last.toZonedDateTimeISO(timeZone).toPlainDate().add({ days: 1 })
  return new Date(day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds)
}
