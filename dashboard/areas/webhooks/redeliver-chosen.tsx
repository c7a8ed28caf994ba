import { Button } from '@mantine/core'
import { useState } from 'react'
import type { DeliveryRow } from '../../../contract/dashboard/webhooks-api.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { type LeftRows, LeftRowsReport, SelectionBar } from '../../kit/selection-bar.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { useSpentHourText } from './spent-hour.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

interface RedeliverChosenProps {
  endpointId: string
  rows: DeliveryRow[]
  nameOf(row: DeliveryRow): string
  deselect(ids: readonly string[]): void
}

/** Redelivers the chosen events to an endpoint. */
export function RedeliverChosen({ endpointId, rows, nameOf, deselect }: RedeliverChosenProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const spentText = useSpentHourText()
  // The rows at the time the dialog was opened: the list is read again meanwhile.
  const [asked, setAsked] = useState<DeliveryRow[] | null>(null)
  const [left, setLeft] = useState<LeftRows | null>(null)
  async function redeliver(wanted: DeliveryRow[], key: string) {
    setLeft(null)
    const sent = { params: { id: endpointId }, body: { events: wanted.map(({ event }) => event) }, key }
    const { done, failed } = await call('POST /webhook_endpoints/{id}/deliveries/redeliver', sent)
    deselect(done.map(({ id }) => id))
    if (done.length > 0) toast(plural(t.redelivered, done.length, locale))
    if (failed.length > 0) setLeft({ failed, names: new Map(wanted.map((row) => [row.id, nameOf(row)])) })
    await invalidate('GET /webhook_endpoints/{id}/deliveries')
  }
  return (
    <>
      {left && <LeftRowsReport left={left} onClose={() => setLeft(null)} />}
      <SelectionBar count={rows.length} onClear={() => deselect(rows.map(({ id }) => id))}>
        <Button size="sm" onClick={() => setAsked(rows)}>
          {t.redeliverVerb}
        </Button>
      </SelectionBar>
      {asked && (
        <ConfirmDialog
          opened
          onClose={() => setAsked(null)}
          title={t.redeliverChosenTitle}
          verb={t.redeliverVerb}
          onConfirm={(key) => redeliver(asked, key)}
          refusalOf={(refusal) => <Refusal error={refusal} text={spentText(refusal)} />}
        >
          <p>{plural(t.redeliverChosenText, asked.length, locale)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
