import type { FormSession } from '../../contract/checkout-form.ts'
import { formatDay, formatMoney } from '../view/money-text.ts'
import { amountDue } from '../view/surcharge-state.ts'
import type { PageContext } from './page-context.ts'

type Interval = 'Weekly' | 'Bi-Weekly' | 'Monthly' | 'Quarterly' | 'Twice a year' | 'Annual'

const DAYS: Partial<Record<Interval, number>> = { Weekly: 7, 'Bi-Weekly': 14 }
const MONTHS: Partial<Record<Interval, number>> = { Monthly: 1, Quarterly: 3, 'Twice a year': 6, Annual: 12 }

/** CHK-19: the first bill is charged now when the plan starts today or earlier, otherwise on the start date. */
export function chargesToday(session: FormSession): boolean {
  const start = session.subscription?.start_date
  return !start || start <= session.server_time.slice(0, 10)
}

/** What the payer agrees to: "$40 today, then $40 every month from January 1, 2027, until cancelled." */
export function planSentence(session: FormSession, context: PageContext): string {
  if (!session.subscription) return ''
  const { text, formats, say } = context
  const interval = session.subscription.interval as Interval
  const isToday = chargesToday(session)
  const today = session.server_time.slice(0, 10)
  const from = isToday ? nextBillDay(today, interval) : (session.subscription.start_date ?? today)
  const total = formatMoney(amountDue(session, session.surcharge?.applies ? 'yes' : 'no'), session.currency, formats)
  return say(isToday ? text[`today_then_${interval}`] : text[`later_${interval}`], {
    total,
    date: formatDay(from, formats),
  })
}

/** One interval later; a day that the month does not have becomes its last day. */
function nextBillDay(day: string, interval: Interval): string {
  const date = new Date(`${day}T00:00:00Z`)
  const monthDay = date.getUTCDate()
  date.setUTCDate(monthDay + (DAYS[interval] ?? 0))
  const months = MONTHS[interval]
  if (months) date.setUTCMonth(date.getUTCMonth() + months)
  if (months && date.getUTCDate() !== monthDay) date.setUTCDate(0)
  return date.toISOString().slice(0, 10)
}
