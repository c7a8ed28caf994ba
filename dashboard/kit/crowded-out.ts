import { type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'

interface Optional {
  id: string
  header: string
  optional?: number
}

/** As in the style sheet: a table of a phone scrolls, with its first column in view. */
const PHONE = '(max-width: 48em)'

export interface Place {
  /** What the table scrolls in. */
  region: RefObject<HTMLElement | null>
  /** The response with them; `undefined` while it is loaded: outlines in their stead are of no width that counts. */
  rows: object | undefined
}

/** How many were left out for which rows. A list that opens again with the same rows renders them once, not twice. */
const known = new WeakMap<object, { setting: string; count: number }>()

/**
 * The optional columns for which a table has no room, the lowest `optional` first: as many as are too many at the
 * width of the window. A window of another width, or another language, begins anew.
 */
export function useCrowdedOut(columns: Optional[], { region, rows }: Place): ReadonlySet<string> {
  const windowWidth = useSyncExternalStore(onResize, () => innerWidth)
  const setting = `${windowWidth} ${columns.map(({ header }) => header).join()}`
  const [crowded, setCrowded] = useState({ setting, count: 0 })
  const counts = [crowded, rows && known.get(rows)].map((one) => (one?.setting === setting ? one.count : 0))
  const count = Math.max(...counts)
  const ids = useMemo(() => optionalIds(columns), [columns])
  // After every change of the rows, and before they are painted.
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
