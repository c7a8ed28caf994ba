import { Checkbox, Radio, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PausePreviewPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill, plural } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import type { DialogProps } from './dialog-props.ts'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { dayAt } from './words.tsx'

type Behavior = 'preserve_time' | 'external_refund'

interface Choice {
  mode: 'immediate' | 'period_end'
  /** No default: nobody decides about paid time without meaning to. */
  behavior: Behavior | null
  isConfirmed: boolean
  reference: string
  note: string
  reason: string
}

const NOTHING: Choice = {
  mode: 'immediate',
  behavior: null,
  isConfirmed: false,
  reference: '',
  note: '',
  reason: '',
}

/** Pauses now or at the end of the period. */
export default function PauseDialog({ of, onClose }: DialogProps) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const changed = useChanged()
  const [choice, setChoice] = useState(NOTHING)
  const change = (changes: Partial<Choice>) => setChoice({ ...choice, ...changes })
  const { mode } = choice
  const params = { id: of.id }
  const preview = usePreview('POST /subscriptions/{id}/pause/preview', { params, body: { mode }, enabled: true })
  const pause = async () => {
    try {
      const body = { ...bodyOf(choice, preview.data), preview_hash: preview.data?.preview_hash ?? '' }
      await call('POST /subscriptions/{id}/pause', { params, body })
      await changed()
    } catch (error) {
      if ((error as CallError).code === 'quote_stale') await preview.refetch()
      throw error
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.pauseTitle, { what: of.view.description })}
      verb={t.pause}
      onConfirm={pause}
      disabled={!preview.data || !isComplete(choice, preview.data)}
      size="lg"
    >
      <Radio.Group label={t.pauseWhen} value={mode} onChange={(value) => change({ mode: value as Choice['mode'] })}>
        <div className="choices">
          <Radio className="choice" value="immediate" label={t.pauseNow} />
          <Radio className="choice" value="period_end" label={t.pauseAtEnd} />
        </div>
      </Radio.Group>
      <Refusal error={preview.error} />
      {preview.data && <Effects preview={preview.data} of={of} />}
      {preview.data?.requires_unused_time_choice && <UnusedTime {...{ choice, change, preview: preview.data, of }} />}
      <TextInput
        label={t.reason}
        value={choice.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
    </ConfirmDialog>
  )
}

function isComplete({ behavior, isConfirmed, reference }: Choice, preview: PausePreviewPage): boolean {
  if (!preview.requires_unused_time_choice) return true
  if (behavior === 'external_refund') return isConfirmed && reference.trim() !== ''
  return behavior === 'preserve_time'
}

function bodyOf({ mode, behavior, reference, note, reason }: Choice, preview: PausePreviewPage | undefined) {
  const shared = { mode, ...(reason.trim() !== '' && { reason: reason.trim() }) }
  if (!preview?.requires_unused_time_choice || behavior === null) return shared
  if (behavior === 'preserve_time') return { ...shared, unused_time_behavior: behavior }
  return {
    ...shared,
    unused_time_behavior: behavior,
    refund_confirmed: true,
    refund_reference: reference.trim(),
    ...(note.trim() !== '' && { refund_note: note.trim() }),
  }
}

function Effects({ preview, of }: { preview: PausePreviewPage } & Pick<DialogProps, 'of'>) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const locale = useLocale()
  const dayText = useDayText()
  const currency = of.currency.toUpperCase()
  const { dropped, effective_at, paid_through } = preview.view
  return (
    <>
      {preview.pause_mode === 'period_end' && (
        <p>{fill(t.pauseOn, { day: dayText(dayAt(effective_at, of.view.time_zone)) })}</p>
      )}
      {preview.requires_unused_time_choice && paid_through !== null && (
        <p>
          {fill(t.pauseLeft, {
            day: dayText(paid_through),
            days: plural(t.days, preview.remaining_paid_days, locale),
            amount: money(preview.unused_prepaid_amount, currency),
          })}
        </p>
      )}
      {dropped.count > 0 && <p>{fill(t.pauseDrops, { amount: money(dropped.amount, currency) })}</p>}
      <p>{t.pauseNoMoney}</p>
    </>
  )
}

interface UnusedTimeProps extends Pick<DialogProps, 'of'> {
  choice: Choice
  change(changes: Partial<Choice>): void
  preview: PausePreviewPage
}

function UnusedTime({ choice, change, preview, of }: UnusedTimeProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const payment = preview.view.covering_payment
  return (
    <>
      <Radio.Group
        label={t.unusedChoice}
        value={choice.behavior}
        onChange={(value) => change({ behavior: value as Behavior })}
        withAsterisk
      >
        <div className="choices">
          <Radio className="choice" value="preserve_time" label={t.keepTime} />
          <Radio className="choice" value="external_refund" label={t.giveBack} />
        </div>
      </Radio.Group>
      {choice.behavior === 'external_refund' && (
        <>
          <p>
            {fill(t.suggestedRefund, { amount: money(preview.suggested_refund_amount, of.currency.toUpperCase()) })}{' '}
            {payment !== null && <AppLink to={`payments/${payment}`}>{t.refundFirst}</AppLink>}
          </p>
          <Checkbox
            label={t.gotMoney}
            checked={choice.isConfirmed}
            onChange={({ currentTarget }) => change({ isConfirmed: currentTarget.checked })}
          />
          <TextInput
            label={t.refundReference}
            withAsterisk
            value={choice.reference}
            onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
          />
          <Textarea
            label={t.refundNote}
            value={choice.note}
            onChange={({ currentTarget }) => change({ note: currentTarget.value })}
          />
        </>
      )}
    </>
  )
}
