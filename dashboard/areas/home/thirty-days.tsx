import type { Home } from '../../../contract/dashboard/home-api.ts'
import { StackedBars } from '../../kit/chart.tsx'
import { Card } from '../../kit/detail.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText, useShortDayText } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

/** Bars of the last 30 business days, with the table of the same numbers. */
export function ThirtyDays({ home: { days, currency } }: { home: Home }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const day = useDayText('medium')
  const short = useShortDayText()
  return (
    <Card title={t.thirtyDays}>
      <StackedBars
        title={t.chart}
        rowHeading={t.day}
        format={(cents) => money(cents, currency)}
        series={[
          { id: 'approved', label: t.approved, tone: 'good' },
          { id: 'failed', label: t.failed, tone: 'bad' },
          { id: 'refunded', label: t.refunded, tone: 'warn' },
        ]}
        rows={days.map((figures) => ({
          label: day(figures.day),
          short: short(figures.day),
          values: [figures.approved_amount, figures.failed_amount, figures.refunded_amount],
        }))}
      />
    </Card>
  )
}
