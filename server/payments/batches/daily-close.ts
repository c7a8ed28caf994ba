import { Temporal } from 'temporal-polyfill'

/**
 * The latest instant at or before `now` at which a local time of day came. Where a clock change skips that time, it is
 * the same distance after the change.
 *
 * @param time `HH:MM`
 */
export function lastClose(time: string, timeZone: string, now: Date): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  const closeOn = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds)
  const today = local.toPlainDate()
  const close = closeOn(today)
  return close <= now ? close : closeOn(today.subtract({ days: 1 }))
}

/** The next instant after `now` at which it comes. */
export function nextClose(time: string, timeZone: string, now: Date): Date {
  const last = Temporal.Instant.fromEpochMilliseconds(lastClose(time, timeZone, now).getTime())
  const day = last.toZonedDateTimeISO(timeZone).toPlainDate().add({ days: 1 })
  return new Date(day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds)
}
