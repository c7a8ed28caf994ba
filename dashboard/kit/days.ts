const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day at a time in a time zone, `YYYY-MM-DD`. It is put together from its parts, because the order in which a
 * locale writes them differs between browsers: Safari has written days of `en-CA` as `MM/DD/YYYY`.
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
