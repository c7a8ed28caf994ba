import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, useCallback, useMemo } from 'react'
import type { EndpointName, QueryOf } from '../../contract/dashboard/dashboard-api.ts'
import { useQueryOfPage } from './links.tsx'

// The filters of a list are in the URL of its page, so that reload, bookmarks and the back button keep them.

export interface PickerProps {
  'aria-label': string
  size: 'sm'
  w: number
  maw: string
  /** `null` while nothing is chosen. */
  value: string | null
  onChange(id: string | null): void
}

export interface Filter {
  /** Member of the query; `days` and `amount` have two, `{id}_from` and `{id}_to`. */
  id: string
  label: string
  kind: 'text' | 'select' | 'days' | 'amount' | 'toggle' | 'picker'
  /** Options of a `select`. */
  options?: { value: string; label: string }[]
  /** Component of a `picker`, which chooses an object by its id. */
  picker?: ComponentType<PickerProps>
  /** Width of a `picker` in pixels; 220 by default. */
  width?: number
  /** Members of the query, if they have different names. */
  members?: [from: string, to: string]
}

type Members<Name extends EndpointName> = keyof QueryOf<Name> & string
type Ends<Member extends string> = Member extends `${infer Id}_from` ? Id : never

/** A filter of a list. It cannot name members that the list's query does not have. */
export type FilterOf<Name extends EndpointName> = Filter &
  (
    | { kind: 'text' | 'select' | 'toggle' | 'picker'; id: Members<Name> }
    | { kind: 'days' | 'amount'; id: Ends<Members<Name>>; members?: never }
    | { kind: 'days' | 'amount'; members: [from: Members<Name>, to: Members<Name>] }
  )

/** Returns the members of the query that a filter sets. */
export function membersOf({ id, kind, members }: Filter): string[] {
  if (kind === 'days' || kind === 'amount') return members ?? [`${id}_from`, `${id}_to`]
  return [id]
}

export type FilterValues = Record<string, string>

const PAGING = ['starting_after', 'ending_before']

/** Returns the filters in the page's URL, and a function that changes some of them; `''` removes one. */
export function useFilters(): [values: FilterValues, change: (changes: FilterValues) => Promise<void>] {
  const values = useQueryOfPage()
  const navigate = useNavigate()
  const change = useCallback(
    (changes: FilterValues) => {
      const next: FilterValues = { ...values, ...changes }
      // A changed filter starts at the first page.
      const isPaging = Object.keys(changes).some((name) => PAGING.includes(name))
      if (!isPaging) for (const name of PAGING) delete next[name]
      for (const [name, value] of Object.entries(next)) if (value === '') delete next[name]
      return navigate({ to: '.', search: next as never, replace: !isPaging })
    },
    [values, navigate],
  )
  return [values, change]
}

/** Returns the filters that are set. */
export function useSetFilters(filters: Filter[]): Filter[] {
  const [values] = useFilters()
  return useMemo(
    () => filters.filter((filter) => membersOf(filter).some((member) => values[member] !== undefined)),
    [filters, values],
  )
}

/** Returns the filters as members of a call's body: numbers and booleans are text in the URL. */
export function bodyOf(filters: Filter[], values: FilterValues): Record<string, string | number | boolean> {
  const members = filters.flatMap((filter) =>
    membersOf(filter).flatMap((member) => {
      const value = values[member]
      return value === undefined ? [] : [[member, typed(filter, value)] as const]
    }),
  )
  return Object.fromEntries(members)
}

function typed({ kind }: Filter, value: string): string | number | boolean {
  if (kind === 'amount') return Number(value)
  if (kind === 'text') return value
  return value === 'true' || value === 'false' ? value === 'true' : value
}
