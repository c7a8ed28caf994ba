import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import type { ViewList } from '../../contract/dashboard/views-api.ts'
import type { Permission } from '../../contract/permissions.ts'
import { fill, plural } from '../../contract/text.ts'
import type { CallError } from './call-error.ts'
import { ColumnMenu, useHiddenColumns } from './column-menu.tsx'
import { Empty } from './empty.tsx'
import { ExportButton } from './export-button.tsx'
import type { ExportName } from './export-dialog.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useFilterText } from './filter-text.ts'
import { type Filter, type FilterValues, membersOf, useFilters, useSetFilters } from './filters.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { ListTable } from './list-table.tsx'
import { useBusiness } from './me.ts'
import { useRead } from './read.ts'
import { Refusal } from './refusal.tsx'
import { type BoxNames, useSelection } from './selection.ts'
import { useLocale, useTexts } from './texts.ts'
import { ViewMenu } from './view-menu.tsx'

export { type FilterOf, useFilters } from './filters.ts'

export interface Column<Row> {
  id: string
  header: string
  cell(row: Row): ReactNode
  /** `end` for amounts and numbers. */
  align?: 'start' | 'end'
  /** At first; the person may show it. */
  hidden?: boolean
  /** Left out where the table has no room for it, the lowest number first, until the person chooses columns. */
  optional?: 1 | 2 | 3
}

interface ListProps<Row> {
  /** The list's endpoint: `GET /payments`. */
  name: EndpointName & `GET ${string}`
  /** Of the table, for screen readers: `Payments`. */
  caption: string
  columns: Column<Row>[]
  filters?: Filter[]
  /** Members of the query that are always sent. */
  query?: Record<string, unknown>
  params?: Record<string, string>
  /** The page of a row: `payments/${id}`. */
  rowTo?: (row: Row) => string
  /** Shown instead of the table when there is nothing and no filter is set. */
  empty: ReactNode
  /** Above the table: buttons, tabs. */
  actions?: ReactNode
  /** In milliseconds: how often the page is read again. */
  every?: number
  /** The list's name for saved views. */
  views?: ViewList
  /** `POST /payments/export`; for those who may. */
  exportName?: ExportName
  /** The permission of the export. */
  exportPermission?: Permission
  /** Members of the export's body that are always sent; those of the query unless given. */
  exportQuery?: Record<string, unknown>
  /** Rows can be chosen, for one action with all of them. */
  bulk?: BulkActions<Row> | undefined
}

/** What can be done with several rows of a page (DSH-37). */
export interface BulkActions<Row> {
  boxes: BoxNames<Row>
  /** The bar of actions. Always on the page, also without a chosen row. */
  bar(rows: Row[], deselect: (ids: readonly string[]) => void): ReactNode
}

interface ListResponse<Row> {
  data: Row[]
  has_more: boolean
  total?: number | null
}

// The same for every render, as what takes them is rendered only when they change.
const NO_FILTERS: Filter[] = []
const NOTHING = {}

const LIMITS = ['25', '50', '100']

/** A list paged by key, newest first, whose filters and place are in the address (DSH-8). */
export function List<Row extends { id: string }>(props: ListProps<Row>) {
  const { name, columns, filters = NO_FILTERS, query = NOTHING, params = NOTHING, empty, actions, every } = props
  const { views, exportName, exportPermission, exportQuery = query, bulk } = props
  const permissions = useBusiness().permissions
  const mayExport = exportPermission === undefined || permissions.includes(exportPermission)
  const [values, change] = useFilters()
  const set = useSetFilters(filters)
  const sent = { ...valuesOf(filters, values), ...pagingOf(values), ...query }
  const read = useRead(name, { params, query: sent, keepPrevious: true, ...(every && { every }) } as never)
  const list = read.data as ListResponse<Row> | undefined
  const region = useRef<HTMLDivElement>(null)
  const { hidden, kept, choose, restore } = useHiddenColumns(name, columns, { region, rows: list })
  const shown = useMemo(() => columns.filter(({ id }, index) => index === 0 || !hidden.has(id)), [columns, hidden])
  const selection = useSelection(JSON.stringify([name, params, sent]))
  const isSlow = useSlow(read.isPending)
  const error = read.error as CallError | null
  const hasNothing = list?.data.length === 0
  return (
    <div className="list">
      <div className="list-bar">
        {filters.length > 0 && <FilterBar filters={filters} />}
        <div className="list-actions">
          {actions}
          {views && <ViewMenu {...{ list: views, filters, columns, hidden: kept }} onHidden={restore} />}
          <ColumnMenu columns={columns} hidden={hidden} onChange={choose} />
          {exportName && mayExport && <ExportButton name={exportName} {...{ filters, params }} query={exportQuery} />}
        </div>
      </div>
      {error && <Refusal error={error} onRetry={() => void read.refetch()} />}
      {hasNothing && !isPaged(values) && (set.length > 0 ? <NoMatch {...{ filters, set, values, change }} /> : empty)}
      {!hasNothing && !(error && !list) && (
        <ListTable
          {...props}
          region={region}
          columns={shown}
          rows={list?.data ?? null}
          isBusy={read.isPlaceholderData}
          showsSkeleton={isSlow}
          {...(bulk && { selection, boxes: bulk.boxes })}
        />
      )}
      {bulk?.bar(
        (list?.data ?? []).filter(({ id }) => selection.chosen.has(id)),
        selection.remove,
      )}
      {list && !(hasNothing && !isPaged(values)) && <Paging list={list} values={values} change={change} />}
    </div>
  )
}

const isPaged = (values: FilterValues) => values.starting_after !== undefined || values.ending_before !== undefined

function valuesOf(filters: Filter[], values: FilterValues): FilterValues {
  const members = new Set(filters.flatMap(membersOf))
  return Object.fromEntries(Object.entries(values).filter(([member]) => members.has(member)))
}

function pagingOf({ starting_after, ending_before, limit }: FilterValues): FilterValues {
  return { ...(starting_after && { starting_after }), ...(ending_before && { ending_before }), ...(limit && { limit }) }
}

type Change = (changes: FilterValues) => Promise<void>

interface NoMatchProps {
  filters: Filter[]
  set: Filter[]
  values: FilterValues
  change: Change
}

/** Names what is filtered (DSH-31). */
function NoMatch({ filters, set, values, change }: NoMatchProps) {
  const t = useTexts(KIT_TEXTS)
  const text = useFilterText()
  const clear = () => change(Object.fromEntries(filters.flatMap(membersOf).map((member) => [member, ''])))
  return (
    <Empty
      kind="noMatch"
      text={fill(t.noMatchOf, { filters: set.map((filter) => text(filter, values)).join(', ') })}
      action={
        <Button variant="default" onClick={() => void clear()}>
          {t.clearFilters}
        </Button>
      }
    />
  )
}

interface PagingProps {
  list: ListResponse<{ id: string }>
  values: FilterValues
  change: Change
}

function Paging({ list, values, change }: PagingProps) {
  const t = useTexts(KIT_TEXTS)
  const locale = useLocale()
  const { data, has_more: hasMore, total } = list
  const isBackward = values.ending_before !== undefined
  const hasOlder = isBackward || hasMore
  const hasNewer = isBackward ? hasMore : values.starting_after !== undefined
  const older = () => change({ starting_after: data.at(-1)?.id ?? '', ending_before: '' })
  // The first page again, when nothing is left to go back from.
  const newer = () => change({ ending_before: data[0]?.id ?? '', starting_after: '' })
  return (
    <nav className="paging" aria-label={t.pages}>
      <span className="dimmed">
        {total === null ? t.totalMore : total !== undefined && plural(t.total, total, locale)}
      </span>
      <label className="paging-size">
        {t.perPage}
        <select
          value={values.limit ?? '50'}
          onChange={({ currentTarget }) => void change({ limit: currentTarget.value })}
        >
          {LIMITS.map((limit) => (
            <option key={limit}>{limit}</option>
          ))}
        </select>
      </label>
      <span className="paging-moves">
        <Button variant="default" size="sm" disabled={!hasNewer} onClick={() => void newer()}>
          {t.newer}
        </Button>
        <Button variant="default" size="sm" disabled={!hasOlder} onClick={() => void older()}>
          {t.older}
        </Button>
      </span>
    </nav>
  )
}

const SLOW_MS = 150

/** Whether something has been loading for so long that a skeleton is better than nothing. */
export function useSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [isPending])
  return isSlow && isPending
}
