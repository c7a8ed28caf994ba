import { TextInput, type TextInputProps } from '@mantine/core'
import { dayIn } from './days.ts'
import { useMaybeBusiness } from './me.ts'
import { useFormatLocale } from './money.tsx'

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}

const MINUTE: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }
const SECOND: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }
/** Time zone of the person's browser. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** An instant in the time zone of the business; the tooltip also has UTC and the person's own time zone. */
export function Instant({ at, seconds = false }: { at: number; seconds?: boolean }) {
  const locale = useFormatLocale()
  const zone = useMaybeBusiness()?.time_zone ?? OWN_ZONE
  const time = at * 1000
  const zones = [...new Set([zone, OWN_ZONE, 'UTC'])]
  const title = zones.map((timeZone) => `${formatter(locale, { ...SECOND, timeZone }).format(time)} ${timeZone}`)
  return (
    <time dateTime={new Date(time).toISOString()} title={title.join('\n')} className="nowrap">
      {formatter(locale, { ...(seconds ? SECOND : MINUTE), timeZone: zone }).format(time)}
    </time>
  )
}

/** Returns a function that formats an instant for sentences. */
export function useInstantText(): (epochSeconds: number) => string {
  const locale = useFormatLocale()
  const timeZone = useMaybeBusiness()?.time_zone ?? OWN_ZONE
  return (at) => formatter(locale, { ...MINUTE, timeZone }).format(at * 1000)
}

type DayStyle = 'short' | 'medium' | 'long' | 'full'

/** A day without a time: `2027-03-01`. */
export function Day({ of, style = 'medium' }: { of: string; style?: DayStyle }) {
  const text = useDayText(style)
  return (
    <time dateTime={of} className="nowrap">
      {text(of)}
    </time>
  )
}

export const DayRange = ({ start, end }: { start: string; end: string }) => (
  <span>
    <Day of={start} /> – <Day of={end} />
  </span>
)

/** Returns a function that formats a day for sentences. */
export function useDayText(style: DayStyle = 'long'): (day: string) => string {
  const locale = useFormatLocale()
  return (day) => formatter(locale, { dateStyle: style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** Returns a function that formats a day of this year briefly: `Nov 23`. */
export function useShortDayText(): (day: string) => string {
  const locale = useFormatLocale()
  return (day) =>
    formatter(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

interface DayFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'> {
  /** `YYYY-MM-DD`; empty if no day is chosen. */
  value: string
  onChange(day: string): void
  min?: string
  max?: string
}

/** Native field for a day: it has a keyboard, a calendar and the person's language. */
export function DayField({ onChange, ...rest }: DayFieldProps) {
  return <TextInput {...rest} type="date" onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}

/** Returns today in the time zone of the business, by its test clock. */
export function useToday(): string {
  const business = useMaybeBusiness()
  const at = Date.now() + (business?.clock_offset_seconds ?? 0) * 1000
  return dayIn(business?.time_zone ?? OWN_ZONE, at)
}
