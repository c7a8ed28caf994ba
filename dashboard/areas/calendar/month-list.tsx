import type { UpcomingDay } from '../../../contract/dashboard/calendar-api.ts'
import { fill } from '../../../contract/text.ts'
import { useMoney } from '../../kit/money.tsx'
import { ScrollingTable } from '../../kit/scrolling.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, useDayText } from '../../kit/time.tsx'
import { sumOf, useDayLines } from './day-lines.tsx'
import { TEXTS } from './texts/texts.ts'

interface MonthListProps {
  days: UpcomingDay[]
  onOpen(day: string): void
  /** Whether the grid shows the same, because there is enough room. */
  isBeside: boolean
}

export function MonthList({ days, onOpen, isBeside }: MonthListProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const lines = useDayLines()
  const dayText = useDayText('medium')
  return (
    <div className="month-list" {...(isBeside && { 'data-beside': true })}>
      <ScrollingTable label={t.list}>
        <table>
          <caption className="only-read">{t.calendar}</caption>
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              <th scope="col">{t.what}</th>
              <th scope="col" className="end">
                {t.sum}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map((one) => (
              <tr key={one.day}>
                <td>
                  <button
                    type="button"
                    className="day-open"
                    aria-label={fill(t.openDay, { day: dayText(one.day) })}
                    onClick={() => onOpen(one.day)}
                  >
                    <Day of={one.day} />
                  </button>
                </td>
                <td>{lines(one).join(', ')}</td>
                <td className="end">{money(sumOf(one))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollingTable>
    </div>
  )
}
