import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CancelPreview } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { AppLink } from '../../kit/links.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import { FiguresChanged, Was } from '../../kit/was.tsx'
import type { DialogProps } from './dialog-props.ts'
import { DroppedText } from './dropped-text.tsx'
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
  const params = { id: of.id }
  const name = 'POST /subscriptions/{id}/cancel/preview'
  const now = usePreview(name, { params, body: { mode: 'now' }, enabled: true })
  const atEnd = usePreview(name, { params, body: { mode: 'period_end' }, enabled: mayWait })
  const preview = mode === 'now' ? now : atEnd
  const agreed = { now: useAgreement(now), period_end: useAgreement(atEnd) }
  const { former, commit } = agreed[mode]
  const cancel = useCancel({ id: of.id, mode, text: comment.trim(), preview_hash: preview.data?.preview_hash ?? '' })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.cancelTitle, { what: of.view.description })}
      verb={t.cancelIt}
      tone="danger"
      onConfirm={() => commit(cancel)}
      disabled={!preview.data || preview.isFetching}
      refusalOf={quietWhenStale}
    >
      <FiguresChanged since={former} />
      {mayWait ? (
        <When {...{ of, mode, onChange: setMode }} preview={atEnd.data} former={agreed.period_end.former} />
      ) : (
        <p>{t.cancelNowText}</p>
      )}
      <Refusal error={preview.error} />
      {preview.data && <Effects preview={preview.data} former={former} of={of} />}
      <TextInput
        label={t.comment}
        value={comment}
        maxLength={255}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

interface WhenProps extends Pick<DialogProps, 'of'> {
  mode: Mode
  onChange(mode: Mode): void
  /** Preview of a cancellation at the end of the period. */
  preview: CancelPreview | undefined
  former: CancelPreview | null
}

function When({ of, mode, onChange, preview, former }: WhenProps) {
  const t = useTexts(TEXTS)
  const day = useDayText()
  const ends = (one: CancelPreview) => fill(t.cancelEndText, { day: day(dayAt(one.effective_at, of.view.time_zone)) })
  return (
    <Radio.Group label={t.pauseWhen} value={mode} onChange={(value) => onChange(value as Mode)}>
      <div className="choices">
        <Radio
          className="choice"
          value="period_end"
          label={t.cancelAtEnd}
          description={preview && <Was former={former ? ends(former) : undefined} now={ends(preview)} />}
        />
        <Radio className="choice" value="now" label={t.cancelNow} description={t.cancelNowText} />
      </div>
    </Radio.Group>
  )
}

interface Canceling {
  id: string
  mode: Mode
  text: string
  preview_hash: string
}

function useCancel({ id, mode, text, preview_hash }: Canceling) {
  const call = useCall()
  const changed = useChanged()
  const params = { id }
  const comment = text === '' ? null : text
  return async () => {
    const atEnd = { cancel_at_period_end: true, cancellation_details: { comment }, preview_hash }
    if (mode === 'now') await call('DELETE /subscriptions/{id}', { params, body: { reason: comment, preview_hash } })
    else await call('POST /subscriptions/{id}', { params, body: atEnd })
    await changed()
  }
}

interface EffectsProps extends Pick<DialogProps, 'of'> {
  preview: CancelPreview
  former: CancelPreview | null
}

function Effects({ preview, former, of }: EffectsProps) {
  const t = useTexts(TEXTS)
  const { dropped, clears_pause, latest_payment } = preview
  return (
    <>
      <DroppedText dropped={dropped} former={former?.dropped} currency={of.currency} />
      {clears_pause && <p>{t.cancelClearsPause}</p>}
      {latest_payment !== null && (
        <p>
          {t.cancelRefund}{' '}
          <AppLink to={`payments/${latest_payment}`} target="_blank">
            {t.lastPaymentLink}
          </AppLink>
        </p>
      )}
    </>
  )
}
