import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import type { EndpointName } from '../../../contract/dashboard/dashboard-api.ts'
import { fill, plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { useUndo } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { type LeftRows, LeftRowsReport, SelectionBar } from '../../kit/selection-bar.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

type ArchiveName = EndpointName & ('POST /products/archive' | 'POST /prices/archive')

interface Archivable {
  id: string
  version: string
  active: boolean
}

interface ArchiveChosenProps<Row> {
  name: ArchiveName
  rows: Row[]
  nameOf(row: Row): string
  deselect(ids: readonly string[]): void
}

/** Archives and restores the chosen products or prices. */
export function ArchiveChosen<Row extends Archivable>({ name, rows, nameOf, deselect }: ArchiveChosenProps<Row>) {
  const t = useTexts(TEXTS)
  const { change, repeat, isSending, error, left, setLeft } = useArchiveMany(name, deselect)
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]))
  const button = (active: boolean, label: string, labelOf: string) => {
    const about = rows.filter((row) => row.active !== active)
    if (about.length === 0) return null
    return (
      <Button size="sm" disabled={isSending} onClick={() => void change({ active, items: about, names })}>
        {about.length === rows.length ? label : fill(labelOf, { what: about.length })}
      </Button>
    )
  }
  return (
    <>
      <Refusal error={error} onRetry={repeat} />
      {left && <LeftRowsReport left={left} onClose={() => setLeft(null)} />}
      <SelectionBar count={rows.length} onClear={() => deselect(rows.map(({ id }) => id))}>
        {button(false, t.archive, t.archiveOf)}
        {button(true, t.restore, t.restoreOf)}
      </SelectionBar>
    </>
  )
}

interface Change {
  active: boolean
  items: readonly { id: string; version: string }[]
  names: LeftRows['names']
  /** Whether this change is an undo, which cannot be undone in turn. */
  isUndo?: boolean
}

/** Archives or restores at once, and offers to undo it (DSH-26). */
function useArchiveMany(name: ArchiveName, deselect: (ids: readonly string[]) => void) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const call = useCall()
  const invalidate = useInvalidate()
  const offerUndo = useUndo()
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<{ error: unknown; repeat(): void } | null>(null)
  const [left, setLeft] = useState<LeftRows | null>(null)
  const busy = useRef(false)

  /** @param key the same if a call is repeated because its response was lost */
  async function change({ active, items, names, isUndo = false }: Change, key: string = crypto.randomUUID()) {
    if (busy.current) return
    busy.current = true
    setSending(true)
    setRefused(null)
    setLeft(null)
    try {
      const body = { active, items: items.map(({ id, version }) => ({ id, version })) }
      const { done, failed } = await call(name, { body, key })
      deselect(done.map(({ id }) => id))
      if (failed.length > 0) setLeft({ failed, names })
      if (done.length > 0 && !isUndo)
        offerUndo(plural(active ? t.restoredMany : t.archivedMany, done.length, locale), () =>
          change({ active: !active, items: done, names, isUndo: true }),
        )
    } catch (error) {
      setRefused({ error, repeat: () => void change({ active, items, names, isUndo }, key) })
    } finally {
      busy.current = false
      setSending(false)
    }
    await invalidate('GET /products', 'GET /products/{id}')
  }

  return { change, repeat: refused?.repeat, error: refused?.error ?? null, isSending, left, setLeft }
}
