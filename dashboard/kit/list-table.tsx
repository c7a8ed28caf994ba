import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, memo, type ReactNode, type Ref } from 'react'
import { businessPath, RowLink } from './links.tsx'
import { useMaybeBusiness } from './me.ts'
import type { BoxNames, Selection } from './selection.ts'

// Rows consist of plain elements: with a component of the kit in each cell, the next page took three times as long.

interface Column<Row> {
  id: string
  header: string
  cell(row: Row): ReactNode
  align?: 'start' | 'end'
}

interface ListTableProps<Row> {
  caption: string
  /** The element in which the table scrolls. */
  region?: Ref<HTMLDivElement>
  columns: Column<Row>[]
  /** `null` while nothing is loaded. */
  rows: Row[] | null
  rowTo?: (row: Row) => string
  /** Whether the rows still belong to the previous filter. */
  isBusy?: boolean
  showsSkeleton?: boolean
  /** Chosen rows; each row then has a checkbox. */
  selection?: Selection | undefined
  /** Names of the checkboxes for `selection`. */
  boxes?: BoxNames<Row> | undefined
}

const SKELETON_ROWS = Array.from({ length: 12 }, (_none, index) => `row ${index}`)

/**
 * A table that scrolls within its own region. The first cell of a row contains its link; a click on the row opens it
 * too.
 */
export function ListTable<Row extends { id: string }>(props: ListTableProps<Row>) {
  const { caption, region, columns, rows, rowTo, isBusy = false, showsSkeleton = false, selection, boxes } = props
  const id = useMaybeBusiness()?.id ?? ''
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div ref={region} role="group" className="table-scroll" aria-label={caption} tabIndex={0}>
      <table aria-busy={isBusy || rows === null} className="rows">
        <caption className="only-read">{caption}</caption>
        <thead>
          <tr>
            {selection && boxes && <AllBox rows={rows ?? []} selection={selection} name={boxes.all} />}
            {columns.map(({ id: key, header, align }) => (
              <th key={key} scope="col" className={align === 'end' ? 'end' : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <Row
              key={row.id}
              row={row}
              columns={columns as never}
              to={rowTo ? businessPath(id, rowTo(row)) : null}
              box={boxes ? boxes.nameOf(row) : null}
              isChosen={selection?.chosen.has(row.id) ?? false}
              toggle={selection?.toggle}
            />
          ))}
          {showsSkeleton &&
            rows === null &&
            SKELETON_ROWS.map((key) => <SkeletonRow key={key} cells={columns.length + (boxes ? 1 : 0)} />)}
        </tbody>
      </table>
    </div>
  )
}

interface BoxProps {
  name: string
  isChecked: boolean
  isPartial?: boolean
  isDisabled?: boolean
  onChange(): void
}

/** Checkbox whose label is large enough for a finger. */
function Box({ name, isChecked, isPartial = false, isDisabled = false, onChange }: BoxProps) {
  return (
    <label className="row-box">
      <input
        type="checkbox"
        aria-label={name}
        checked={isChecked}
        disabled={isDisabled}
        ref={(input) => {
          if (input) input.indeterminate = isPartial
        }}
        onChange={onChange}
      />
    </label>
  )
}

interface AllBoxProps {
  rows: { id: string }[]
  selection: Selection
  name: string
}

function AllBox({ rows, selection: { chosen, set }, name }: AllBoxProps) {
  const count = rows.filter(({ id }) => chosen.has(id)).length
  const isAll = count > 0 && count === rows.length
  return (
    <th scope="col" className="choose">
      <Box
        name={name}
        isChecked={isAll}
        isPartial={count > 0 && !isAll}
        isDisabled={rows.length === 0}
        onChange={() => set(isAll ? [] : rows.map(({ id }) => id))}
      />
    </th>
  )
}

interface RowProps {
  row: { id: string }
  columns: Column<{ id: string }>[]
  to: string | null
  /** Name of the row's checkbox; `null` if the row does not have one. */
  box: string | null
  isChosen: boolean
  toggle: Selection['toggle'] | undefined
}

const MIDDLE = 1

const isOwn = ({ target }: MouseEvent) => (target as Element).closest('a, button, input, label, select') !== null

/** Opens the row in a new tab, as its link would with these modifier keys. */
function openBeside(path: string): void {
  window.open(path, '_blank', 'noopener')
}

/** Prevents the middle button from scrolling the page. */
function keepFromScrolling(event: MouseEvent): void {
  if (event.button === MIDDLE && !isOwn(event)) event.preventDefault()
}

const Row = memo(function Row({ row, columns, to, box, isChosen, toggle }: RowProps) {
  const navigate = useNavigate()
  const open = (event: MouseEvent) => {
    if (to === null || isOwn(event) || event.defaultPrevented || getSelection()?.toString()) return
    if (event.ctrlKey || event.metaKey || event.shiftKey) return openBeside(to)
    const [path = '', query] = to.split('?')
    void navigate({ to: path, search: Object.fromEntries(new URLSearchParams(query)) as never })
  }
  return (
    <tr
      {...(to !== null && {
        onClick: open,
        onMouseDown: keepFromScrolling,
        onAuxClick: (event: MouseEvent) => event.button === MIDDLE && !isOwn(event) && openBeside(to),
      })}
      className={to === null ? undefined : 'opens'}
      data-chosen={isChosen || undefined}
    >
      {box !== null && (
        <td className="choose">
          <Box name={box} isChecked={isChosen} onChange={() => toggle?.(row.id)} />
        </td>
      )}
      {columns.map(({ id, cell, align }, index) => (
        <td key={id} className={align === 'end' ? 'end' : undefined}>
          {index === 0 && to !== null ? <RowLink to={to}>{cell(row)}</RowLink> : cell(row)}
        </td>
      ))}
    </tr>
  )
})

function SkeletonRow({ cells }: { cells: number }) {
  return (
    <tr>
      {Array.from({ length: cells }, (_none, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells that are all the same
        <td key={index}>
          <span className="skeleton" />
        </td>
      ))}
    </tr>
  )
}
