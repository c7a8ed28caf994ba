import { type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'

interface Optional {
  id: string
  header: string
  optional?: number
}

/** Media query for phones, as in the style sheet: there a table scrolls, with its first column fixed. */
const PHONE = '(max-width: 48em)'

export interface Place {
  /** The element in which the table scrolls. */
  region: RefObject<HTMLElement | null>
  /** The response with the rows; `undefined` while it is loading: placeholders have no meaningful width. */
  rows: object | undefined
}

/**
 * How many columns were left out for which rows. A list that opens again with the same rows then renders them only
 * once.
 */
const known = new WeakMap<object, { setting: string; count: number }>()

/**
 * Returns the optional columns for which the table has no room, the lowest `optional` first, at the current width of
 * the window. A different width or language starts over.
 */
export function useCrowdedOut(columns: Optional[], { region, rows }: Place): ReadonlySet<string> {
  const windowWidth = useSyncExternalStore(onResize, () => innerWidth)
  const setting = `${windowWidth} ${columns.map(({ header }) => header).join()}`
  const [crowded, setCrowded] = useState({ setting, count: 0 })
  const counts = [crowded, rows && known.get(rows)].map((one) => (one?.setting === setting ? one.count : 0))
  const count = Math.max(...counts)
  const ids = useMemo(() => optionalIds(columns), [columns])
  // Runs after every change of the rows, before the browser paints them.
  useLayoutEffect(() => {
    const { current: table } = region
    if (!table || !rows || count === ids.length || matchMedia(PHONE).matches) return
    if (table.scrollWidth <= table.clientWidth) return
    const next = { setting, count: count + 1 }
    known.set(rows, next)
    setCrowded(next)
  }, [region, rows, setting, count, ids])
  return useMemo(() => new Set(ids.slice(0, count)), [ids, count])
}

const optionalIds = (columns: Optional[]) =>
  columns
    .filter(({ optional }) => optional !== undefined)
    .sort((one, other) => (one.optional ?? 0) - (other.optional ?? 0))
    .map(({ id }) => id)

function onResize(notify: () => void): () => void {
  addEventListener('resize', notify)
  return () => removeEventListener('resize', notify)
}
