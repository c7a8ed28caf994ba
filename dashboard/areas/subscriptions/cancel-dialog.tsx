import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CancelPreview } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import type { DialogProps } from './dialog-props.ts'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { dayAt } from './words.tsx'

type Mode = CancelPreview['mode']

/** Cancels now or at the end of the period. */
export default function CancelDialog({ of, onClose }: DialogProps) {
  const t = useTexts(TEXTS)
  const mayWait = of.status === 'active' && !of.cancel_at_period_end
  const [mode, setMode] = useState<Mode>(mayWait ? 'period_end' : 'now')
  const [comment, setComment] = useState('')
  const { preview, cancel } = useCancel(of.id, mode, comment.trim())
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.cancelTitle, { what: of.view.description })}
      verb={t.cancelIt}
      tone="danger"
      onConfirm={cancel}
      disabled={!preview.data}
    >
      {mayWait && (
        <Radio.Group label={t.pauseWhen} value={mode} onChange={(value) => setMode(value as Mode)}>
          <div className="choices">
            <Radio className="choice" value="period_end" label={t.cancelAtEnd} />
            <Radio className="choice" value="now" label={t.cancelNow} />
          </div>
        </Radio.Group>
      )}
      <Refusal error={preview.error} />
      {preview.data && <Effects preview={preview.data} of={of} />}
      <TextInput
        label={t.comment}
        value={comment}
        maxLength={255}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

function useCancel(id: string, mode: Mode, text: string) {
  const call = useCall()
  const changed = useChanged()
  const params = { id }
  const preview = usePreview('POST /subscriptions/{id}/cancel/preview', { params, body: { mode }, enabled: true })
  const comment = text === '' ? null : text
  const cancel = async () => {
    const preview_hash = preview.data?.preview_hash ?? ''
    const atEnd = { cancel_at_period_end: true, cancellation_details: { comment }, preview_hash }
    try {
      if (mode === 'now') await call('DELETE /subscriptions/{id}', { params, body: { reason: comment, preview_hash } })
      else await call('POST /subscriptions/{id}', { params, body: atEnd })
      await changed()
    } catch (error) {
      if ((error as CallError).code === 'quote_stale') await preview.refetch()
      throw error
    }
  }
  return { preview, cancel }
}

function Effects({ preview, of }: { preview: CancelPreview } & Pick<DialogProps, 'of'>) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const dayText = useDayText()
  const day = dayText(dayAt(preview.effective_at, of.view.time_zone))
  const { dropped, clears_pause, latest_payment } = preview
  return (
    <>
      <p>{preview.mode === 'now' ? t.cancelNowText : fill(t.cancelEndText, { day })}</p>
      {dropped.count > 0 && <p>{fill(t.pauseDrops, { amount: money(dropped.amount, of.currency.toUpperCase()) })}</p>}
      {clears_pause && <p>{t.cancelClearsPause}</p>}
      {latest_payment !== null && (
        <p>
          {t.cancelRefund} <AppLink to={`payments/${latest_payment}`}>{t.lastPaymentLink}</AppLink>
        </p>
      )}
    </>
  )
}
