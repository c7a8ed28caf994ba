import { useCallback, useState } from 'react'

// Rows of a page that are chosen for one action (DSH-37).

export interface Selection {
  chosen: ReadonlySet<string>
  toggle(id: string): void
  set(ids: readonly string[]): void
  remove(ids: readonly string[]): void
}

const NONE: ReadonlySet<string> = new Set()

/** @param page identifies the page of the rows: rows of another page do not stay chosen */
export function useSelection(page: string): Selection {
  const [state, setState] = useState({ page, chosen: NONE })
  const chosen = state.page === page ? state.chosen : NONE
  const change = useCallback(
    (next: (chosen: ReadonlySet<string>) => ReadonlySet<string>) =>
      setState((last) => ({ page, chosen: next(last.page === page ? last.chosen : NONE) })),
    [page],
  )
  const toggle = useCallback(
    (id: string) => change((last) => new Set(last.has(id) ? [...last].filter((one) => one !== id) : [...last, id])),
    [change],
  )
  const set = useCallback((ids: readonly string[]) => change(() => new Set(ids)), [change])
  const remove = useCallback(
    (ids: readonly string[]) => change((last) => new Set([...last].filter((id) => !ids.includes(id)))),
    [change],
  )
  return { chosen, toggle, set, remove }
}

/** Names of the checkboxes in a table, for screen readers. */
export interface BoxNames<Row> {
  all: string
  nameOf(row: Row): string
}
