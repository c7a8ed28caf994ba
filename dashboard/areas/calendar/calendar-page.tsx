import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { UpcomingDay } from '../../../contract/dashboard/calendar-api.ts'
import { Empty } from '../../kit/empty.tsx'
import { useFilters } from '../../kit/list.tsx'
import { useFormatLocale } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import ProductPicker from '../../kit/product-picker.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useToday } from '../../kit/time.tsx'
import { DayDialog } from './day-dialog.tsx'
import { addMonths, weeksOf } from './month.ts'
import { MonthGrid } from './month-grid.tsx'
import { MonthList } from './month-list.tsx'
import { TEXTS } from './texts/texts.ts'
import './calendar.css'

const MONTHS_AHEAD = 3

/** What is due on each day of a month. The month, the product and the view are in the address. */
export default function CalendarPage() {
  const t = useTexts(TEXTS)
  const today = useToday()
  const [{ month = today.slice(0, 7), product, view }] = useFilters()
  const [day, setDay] = useState<string | null>(null)
  const weeks = weeksOf(month)
  const [from = '', to = ''] = [weeks[0]?.[0], weeks.at(-1)?.[6]]
  const read = useRead('GET /bills/upcoming', {
    query: { from, to, ...(product !== undefined && { product }) },
    keepPrevious: true,
  })
  const days = read.data?.days ?? []
  const inMonth = days.filter((one) => one.day.startsWith(month))
  const parts = { month, today: read.data?.today ?? today, days, onOpen: setDay }
  return (
    <Page title={t.calendar}>
      <MonthBar month={month} today={today} />
      <p className="dimmed">{t.forecast}</p>
      <Refusal error={read.error} onRetry={() => void read.refetch()} />
      <Month parts={parts} inMonth={inMonth} isList={view === 'list'} isLoaded={read.data !== undefined} />
      <DayDialog day={day} product={product} onClose={() => setDay(null)} />
    </Page>
  )
}

interface MonthProps {
  parts: { month: string; today: string; days: UpcomingDay[]; onOpen(day: string): void }
  inMonth: UpcomingDay[]
  isList: boolean
  isLoaded: boolean
}

function Month({ parts, inMonth, isList, isLoaded }: MonthProps) {
  const t = useTexts(TEXTS)
  if (isLoaded && inMonth.length === 0) return <Empty kind="nothing" title={t.nothing} text={t.nothingText} />
  return (
    <>
      {!isList && <MonthGrid {...parts} />}
      <MonthList days={inMonth} onOpen={parts.onOpen} isBeside={!isList} />
    </>
  )
}

function MonthBar({ month, today }: { month: string; today: string }) {
  const t = useTexts(TEXTS)
  const locale = useFormatLocale()
  const [values, change] = useFilters()
  const name = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
  const first = today.slice(0, 7)
  const go = (to: string) => void change({ month: to === first ? '' : to })
  return (
    <div className="month-bar">
      <Button variant="default" disabled={month <= first} onClick={() => go(addMonths(month, -1))}>
        {t.previous}
      </Button>
      <Button
        variant="default"
        disabled={month >= addMonths(first, MONTHS_AHEAD)}
        onClick={() => go(addMonths(month, 1))}
      >
        {t.next}
      </Button>
      <h2 aria-live="polite">{name}</h2>
      <ProductFilter value={values.product} onChange={(product) => void change({ product })} />
      <SegmentedControl
        className="month-view"
        aria-label={t.view}
        value={values.view ?? 'month'}
        data={[
          { value: 'month', label: t.month },
          { value: 'list', label: t.list },
        ]}
        onChange={(view) => void change({ view: view === 'month' ? '' : view })}
      />
    </div>
  )
}

function ProductFilter({ value, onChange }: { value: string | undefined; onChange(product: string): void }) {
  const t = useTexts(TEXTS)
  return (
    <ProductPicker
      aria-label={t.product}
      placeholder={t.allProducts}
      value={value ?? null}
      onChange={(product) => onChange(product ?? '')}
    />
  )
}
