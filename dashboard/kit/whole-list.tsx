import type { ReactNode } from 'react'
import type { CallError } from './call-error.ts'
import { type Column, useSlow } from './list.tsx'
import { ListTable } from './list-table.tsx'
import { Refusal } from './refusal.tsx'

interface WholeListProps<Row> {
  caption: string
  columns: Column<Row>[]
  /** `undefined` while they are loading. */
  rows: Row[] | undefined
  error: CallError | null
  onRetry(): void
  rowTo?: (row: Row) => string
  empty: ReactNode
}

/** A list that is always short, without filters and pages. */
export function WholeList<Row extends { id: string }>(props: WholeListProps<Row>) {
  const { caption, columns, rows, error, onRetry, rowTo, empty } = props
  const isSlow = useSlow(rows === undefined && error === null)
  if (error && !rows) return <Refusal error={error} onRetry={onRetry} />
  if (rows?.length === 0) return empty
  const shown = { caption, columns, rows: rows ?? null, showsSkeleton: isSlow }
  return <ListTable {...shown} {...(rowTo && { rowTo })} />
}
