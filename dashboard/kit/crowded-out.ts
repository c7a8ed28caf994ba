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
  /** Outlines in their stead are of no width that counts. */
  hasRows: boolean
}

/**
 * The optional columns for which a table has no room, the lowest `optional` first: as many as are too many at the
 * width of the window. A window of another width, or another language, begins anew.
 */
export function useCrowdedOut(columns: Optional[], { region, hasRows }: Place): ReadonlySet<string> {
  const windowWidth = useSyncExternalStore(onResize, () => innerWidth)
  const setting = `${windowWidth} ${columns.map(({ header }) => header).join()}`
  const [crowded, setCrowded] = useState({ setting, count: 0 })
  const count = crowded.setting === setting ? crowded.count : 0
  const ids = useMemo(() => optionalIds(columns), [columns])
  // After every change of the rows, and before they are painted.
  useLayoutEffect(() => {
    const { current: table } = region
    if (!table || !hasRows || count === ids.length || matchMedia(PHONE).matches) return
    if (table.scrollWidth > table.clientWidth) setCrowded({ setting, count: count + 1 })
  })
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
