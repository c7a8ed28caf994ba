import { Alert, Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { BulkFailure } from '../../contract/dashboard/bulk.ts'
import { fill, plural } from '../../contract/text.ts'
import { announce } from './announce.tsx'
import { CallError } from './call-error.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useRefusalText } from './refusal.tsx'
import type { BoxNames } from './selection.ts'
import { en } from './selection-texts/en.ts'
import { defineTexts, useLocale, useTexts } from './texts.ts'

// Separate from the list, so that only areas with such actions load it.

const SELECTION_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./selection-texts/fr-CA.ts'),
  es: () => import('./selection-texts/es.ts'),
})

/** @param nameOf name of a row on its page: `Tea`, for `Select Tea` */
export function useBoxNames<Row>(nameOf: (row: Row) => string): BoxNames<Row> {
  const t = useTexts(SELECTION_TEXTS)
  return { all: t.selectAll, nameOf: (row) => fill(t.select, { name: nameOf(row) }) }
}

interface SelectionBarProps {
  count: number
  onClear(): void
  /** Buttons for actions on the chosen rows. */
  children: ReactNode
}

/** Says how many rows are chosen, at the lower edge of the window. Renders nothing if none is. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const t = useTexts(SELECTION_TEXTS)
  const text = plural(t.selected, count, useLocale())
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(0)
  useEffect(() => {
    if (shown.current === count) return
    shown.current = count
    announce(count === 0 ? t.noneSelected : text)
    // The focus was in the bar, which has disappeared.
    const isLost = document.activeElement === document.body
    if (count === 0 && isLost) place.current?.parentElement?.querySelector<HTMLElement>('.table-scroll')?.focus()
  }, [count, text, t])
  return (
    <div ref={place} className="selection-place">
      {count > 0 && (
        <section className="selection-bar" aria-label={t.bar}>
          <span className="selection-count">{text}</span>
          <span className="selection-actions">
            {children}
            <Button variant="default" size="sm" onClick={onClear}>
              {t.clear}
            </Button>
          </span>
        </section>
      )}
    </div>
  )
}

/** Rows that a change left unchanged. */
export interface LeftRows {
  failed: readonly BulkFailure[]
  /** Names by id, as the page showed them. */
  names: ReadonlyMap<string, string>
}

/** Says which rows were not changed, and why. */
export function LeftRowsReport({ left: { failed, names }, onClose }: { left: LeftRows; onClose(): void }) {
  const t = useTexts(SELECTION_TEXTS)
  const kit = useTexts(KIT_TEXTS)
  const refusalText = useRefusalText()
  const title = plural(t.leftAsItWas, failed.length, useLocale())
  useEffect(() => announce(title, { assertive: true }), [title])
  const lines = failed.map(({ id, code, message }) => ({
    id,
    text: fill(t.failedOf, { name: names.get(id) ?? id, reason: refusalText(new CallError(409, { code, message })) }),
  }))
  return (
    <Alert
      color="red"
      variant="outline"
      role="group"
      title={title}
      withCloseButton
      onClose={onClose}
      closeButtonLabel={kit.close}
    >
      <ul className="left-rows">
        {lines.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </Alert>
  )
}
