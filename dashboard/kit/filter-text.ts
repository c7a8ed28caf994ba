import { type Filter, type FilterValues, membersOf } from './filters.ts'
import { useMoney } from './money.tsx'
import { useDayText } from './time.tsx'

/**
 * Returns a function that describes a filter: `Status: Declined`. For a picked object, it is only the name of the
 * filter.
 */
export function useFilterText(): (filter: Filter, values: FilterValues) => string {
  const money = useMoney()
  const day = useDayText('medium')
  const ends = (filter: Filter, values: FilterValues, text: (value: string) => string) =>
    membersOf(filter)
      .map((member) => (values[member] === undefined ? '…' : text(values[member])))
      .join(' – ')
  return (filter, values) => {
    const { id, kind, label, options } = filter
    const value = values[id] ?? ''
    if (kind === 'toggle' || kind === 'picker') return label
    if (kind === 'days') return `${label}: ${ends(filter, values, dayOr(day))}`
    if (kind === 'amount') return `${label}: ${ends(filter, values, (cents) => money(Number(cents)))}`
    return `${label}: ${options?.find((option) => option.value === value)?.label ?? value}`
  }
}

/** Formats a day; other text stays as it is, because a URL may have been written by hand. */
const dayOr = (text: (day: string) => string) => (value: string) =>
  Number.isNaN(Date.parse(value)) ? value : text(value)
