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
  /** Whether the column is hidden by default; the person may show it. */
  hidden?: boolean
  /**
   * Order in which columns are left out if the table has no room, the lowest number first, until the person chooses
   * columns.
   */
  optional?: 1 | 2 | 3
}

interface ListProps<Row> {
  /** Endpoint of the list: `GET /payments`. */
  name: EndpointName & `GET ${string}`
  /** Caption of the table, for screen readers: `Payments`. */
  caption: string
  columns: Column<Row>[]
  filters?: Filter[]
  /** Members of the query that are always sent. */
  query?: Record<string, unknown>
  params?: Record<string, string>
  /** Page of a row: `payments/${id}`. */
  rowTo?: (row: Row) => string
  /** Shown instead of the table if the list is empty and no filter is set. */
  empty: ReactNode
  /** Buttons or tabs above the table. */
  actions?: ReactNode
  /** Interval of automatic reads, in milliseconds. */
  every?: number
  /** The list's name for saved views. */
  views?: ViewList
  /** Export of the list, such as `POST /payments/export`, for people who may use it. */
  exportName?: ExportName
  /** Permission that the export requires. */
  exportPermission?: Permission
  /** Members of the export's body that are always sent; by default those of the query. */
  exportQuery?: Record<string, unknown>
  /** Actions on several chosen rows. */
  bulk?: BulkActions<Row> | undefined
}

/** Actions on several rows of a page (DSH-37). */
export interface BulkActions<Row> {
  boxes: BoxNames<Row>
  /** Bar of actions. It is always on the page, even if no row is chosen. */
  bar(rows: Row[], deselect: (ids: readonly string[]) => void): ReactNode
}

interface ListResponse<Row> {
  data: Row[]
  has_more: boolean
  total?: number | null
}

// The same object for every render, because components that receive it only render when it changes.
const NO_FILTERS: Filter[] = []
const NOTHING = {}

const LIMITS = ['25', '50', '100']

/** A list with keyset pagination, newest first, whose filters and position are in the URL (DSH-8). */
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

/** Says which filters are set if nothing matches (DSH-31). */
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
  // Opens the first page if there is no row from which to go back.
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

/** Whether something has been loading for so long that a skeleton should appear. */
export function useSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [isPending])
  return isSlow && isPending
}
