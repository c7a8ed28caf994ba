import type { UpcomingDay } from '../../../contract/dashboard/calendar-api.ts'
import { fill } from '../../../contract/text.ts'
import { useFormatLocale, useMoney } from '../../kit/money.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import { sumOf, useDayLines } from './day-lines.tsx'
import { weeksOf } from './month.ts'
import { TEXTS } from './texts/texts.ts'

interface MonthGridProps {
  month: string
  today: string
  days: UpcomingDay[]
  onOpen(day: string): void
}

export function MonthGrid({ month, today, days, onOpen }: MonthGridProps) {
  const t = useTexts(TEXTS)
  const locale = useFormatLocale()
  const weeks = weeksOf(month)
  const byDay = new Map(days.map((one) => [one.day, one]))
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  return (
    <div className="month-grid">
      <table className="month">
        <caption className="only-read">{t.calendar}</caption>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((day) => (
              <th key={day} scope="col">
                {weekday.format(Date.parse(`${day}T00:00:00Z`))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  {...(!day.startsWith(month) && { 'data-outside': true })}
                  {...(day === today && { 'aria-current': 'date' as const })}
                >
                  <span className="day-number">{Number(day.slice(8))}</span>
                  <DayButton day={day} has={byDay.get(day)} onOpen={onOpen} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function DayButton({ day, has, onOpen }: { day: string; has: UpcomingDay | undefined; onOpen(day: string): void }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const lines = useDayLines()
  const dayText = useDayText()
  if (!has) return null
  return (
    <button type="button" className="day-open" onClick={() => onOpen(day)}>
      <span className="only-read">{fill(t.openDay, { day: dayText(day) })}</span>
      {sumOf(has) > 0 && <strong className="end">{money(sumOf(has))}</strong>}
      {lines(has).map((line) => (
        <span key={line}>{line}</span>
      ))}
    </button>
  )
}
