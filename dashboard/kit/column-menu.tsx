import { Button, Menu } from '@mantine/core'
import { memo, useCallback, useMemo, useState } from 'react'
import { type Place, useCrowdedOut } from './crowded-out.ts'
import { DropMenu } from './drop-menu.tsx'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

interface Hideable {
  id: string
  header: string
  hidden?: boolean
  optional?: number
}

interface HiddenColumns {
  hidden: ReadonlySet<string>
  /** `hidden` without the columns for which there is no room here; this is what a saved view stores. */
  kept: ReadonlySet<string>
  choose(hidden: ReadonlySet<string>): void
  /** Applies the hidden columns of a view. */
  restore(kept: ReadonlySet<string>): void
}

const storageKey = (list: string) => `columns ${list}`

/**
 * Returns which columns of a list are hidden: the person's choice, stored in this browser. Without a choice, it is the
 * columns that are hidden by default, and the optional ones for which there is no room.
 */
export function useHiddenColumns(list: string, columns: Hideable[], place: Place): HiddenColumns {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(() => read(list))
  const crowded = useCrowdedOut(chosen ? NONE : columns, place)
  const atFirst = useMemo(() => new Set(columns.flatMap(({ id, hidden: is }) => (is ? [id] : []))), [columns])
  const kept = chosen ?? atFirst
  const hidden = useMemo(() => new Set([...kept, ...crowded]), [kept, crowded])
  const choose = useCallback(
    (next: ReadonlySet<string> | null) => {
      setChosen(next)
      write(list, next)
    },
    [list],
  )
  const restore = useCallback(
    (next: ReadonlySet<string>) => {
      const isAtFirst = next.size === atFirst.size && [...next].every((id) => atFirst.has(id))
      choose(isAtFirst ? null : next)
    },
    [choose, atFirst],
  )
  return { hidden, kept, choose, restore }
}

const NONE: Hideable[] = []

function write(list: string, chosen: ReadonlySet<string> | null): void {
  try {
    if (chosen) localStorage.setItem(storageKey(list), JSON.stringify([...chosen]))
    else localStorage.removeItem(storageKey(list))
  } catch {
    // The browser does not store it; the choice lasts until the page is left.
  }
}

function read(list: string): Set<string> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(list)) ?? 'null')
    return Array.isArray(kept) ? new Set(kept.map(String)) : null
  } catch {
    return null
  }
}

interface ColumnMenuProps {
  columns: Hideable[]
  hidden: ReadonlySet<string>
  onChange(hidden: ReadonlySet<string>): void
}

/** Menu of columns. The first column cannot be hidden. */
export const ColumnMenu = memo(function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const t = useTexts(KIT_TEXTS)
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <DropMenu
      closeOnItemClick={false}
      position="bottom-end"
      target={
        <Button variant="default" size="sm" leftSection={<Icon name="columns" />}>
          {t.columns}
        </Button>
      }
    >
      {columns.slice(1).map(({ id, header }) => (
        <Menu.CheckboxItem key={id} checked={!hidden.has(id)} onChange={() => toggle(id)}>
          {header}
        </Menu.CheckboxItem>
      ))}
    </DropMenu>
  )
})
