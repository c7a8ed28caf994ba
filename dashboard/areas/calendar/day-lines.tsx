import type { UpcomingDay } from '../../../contract/dashboard/calendar-api.ts'
import { plural } from '../../../contract/text.ts'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** Returns a function that describes a day: `3 bills`, `1 retry`. */
export function useDayLines(): (day: UpcomingDay) => string[] {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  return ({ bills, retries, starts, pauses, cancellations }) => {
    const counts: [typeof t.bills, number][] = [
      [t.bills, bills.count],
      [t.retries, retries.count],
      [t.starts, starts.count],
      [t.pauses, pauses],
      [t.cancellations, cancellations],
    ]
    return counts.flatMap(([text, count]) => (count === 0 ? [] : [plural(text, count, locale)]))
  }
}

/** Sum of bills, retries and first bills of a day, in cents. */
export const sumOf = ({ bills, retries, starts }: UpcomingDay): number => bills.amount + retries.amount + starts.amount
