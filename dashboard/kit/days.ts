const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the day of an instant in a time zone, `YYYY-MM-DD`. It is assembled from its parts, because the order of
 * parts in a locale differs between browsers: Safari has formatted days of `en-CA` as `MM/DD/YYYY`.
 *
 * @param time - in milliseconds since 1970
 */
export function dayIn(timeZone: string, time: number): string {
  const format = formats.get(timeZone) ?? newFormat(timeZone)
  formats.set(timeZone, format)
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

const newFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
