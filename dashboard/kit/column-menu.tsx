import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

interface Hideable {
  id: string
  header: string
  hidden?: boolean
}

const storageKey = (list: string) => `columns ${list}`

/** Which columns of a list are hidden: the person's choice, kept in this browser. */
export function useHiddenColumns(list: string, columns: Hideable[]): [Set<string>, (hidden: Set<string>) => void] {
  const [hidden, setHidden] = useState(
    () => read(list) ?? new Set(columns.flatMap(({ id, hidden: is }) => (is ? [id] : []))),
  )
  const change = (next: Set<string>) => {
    setHidden(next)
    try {
      localStorage.setItem(storageKey(list), JSON.stringify([...next]))
    } catch {
      // The browser keeps nothing; the choice lasts for this page.
    }
  }
  return [hidden, change]
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
  hidden: Set<string>
  onChange(hidden: Set<string>): void
}

/** The first column always stays. */
export function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const t = useTexts(KIT_TEXTS)
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="sm" leftSection={<Icon name="columns" />}>
          {t.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.CheckboxItem key={id} checked={!hidden.has(id)} onChange={() => toggle(id)}>
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
