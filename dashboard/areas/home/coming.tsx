import type { UpcomingCount } from '../../../contract/dashboard/calendar-api.ts'
import { fill } from '../../../contract/text.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { ScrollingTable } from '../../kit/scrolling.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, useToday } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

const DAYS = 7
const DAY_MS = 86_400_000

interface ComingProps {
  every: number
  /** Whether another part of the page already says that it cannot be read. */
  isQuiet: boolean
  /** Whether nothing is rendered instead of an empty card. */
  hidesNothing: boolean
}

/** Bills, retries and scheduled changes of the next days. */
export function Coming({ every, isQuiet, hidesNothing }: ComingProps) {
  const t = useTexts(TEXTS)
  const mayRead = useMay('subscriptions.read')
  const from = useToday()
  const to = new Date(Date.parse(from) + (DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const read = useRead('GET /bills/upcoming', { query: { from, to }, enabled: mayRead, every, background: true })
  if (!mayRead || (read.data?.days.length === 0 && hidesNothing) || (!read.data && (!read.error || isQuiet)))
    return null
  return (
    <Card title={t.coming} actions={<AppLink to="calendar">{t.calendar}</AppLink>}>
      {!isQuiet && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {read.data?.days.length === 0 && <p className="dimmed">{t.comingNothing}</p>}
      {read.data && read.data.days.length > 0 && <ComingTable upcoming={read.data} />}
    </Card>
  )
}

type Upcoming = NonNullable<ReturnType<typeof useRead<'GET /bills/upcoming'>>['data']>

function ComingTable({ upcoming: { days, currency } }: { upcoming: Upcoming }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const counted = ({ count, amount }: UpcomingCount) =>
    count === 0 ? '–' : fill(t.counted, { count, amount: money(amount, currency.toUpperCase()) })
  return (
    <>
      <ScrollingTable label={t.bills}>
        <table>
          <caption className="only-read">{t.coming}</caption>
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              {[t.bills, t.retries, t.starts, t.pauses, t.cancellations].map((heading) => (
                <th key={heading} scope="col" className="end">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, bills, retries, starts, pauses, cancellations }) => (
              <tr key={day}>
                <th scope="row">
                  <Day of={day} />
                </th>
                <td className="end">{counted(bills)}</td>
                <td className="end">{counted(retries)}</td>
                <td className="end">{counted(starts)}</td>
                <td className="end">{pauses || '–'}</td>
                <td className="end">{cancellations || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollingTable>
      <p className="dimmed">{t.comingNote}</p>
    </>
  )
}
