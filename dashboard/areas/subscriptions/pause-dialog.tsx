import { Checkbox, Radio, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PausePreviewPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill, plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { useDayText, useInstantText } from '../../kit/time.tsx'
import { FiguresChanged, Was } from '../../kit/was.tsx'
import type { DialogProps } from './dialog-props.ts'
import { DroppedText } from './dropped-text.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { dayAt } from './words.tsx'

type Behavior = 'preserve_time' | 'external_refund'

interface Choice {
  mode: 'immediate' | 'period_end'
  /** No default: a decision about paid time must be deliberate. */
  behavior: Behavior | null
  isConfirmed: boolean
  reference: string
  note: string
  reason: string
}

const REASON_MAX = 255
const NOTE_MAX = 500

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
  // A pause that takes effect now has to wait for the outcome of a charge.
  const [choice, setChoice] = useState({ ...NOTHING, mode: of.view.is_charging ? 'period_end' : NOTHING.mode })
  const change = (changes: Partial<Choice>) => setChoice({ ...choice, ...changes })
  const { mode } = choice
  const params = { id: of.id }
  const name = 'POST /subscriptions/{id}/pause/preview'
  const now = usePreview(name, { params, body: { mode: 'immediate' }, enabled: !of.view.is_charging })
  const atEnd = usePreview(name, { params, body: { mode: 'period_end' }, enabled: true })
  const preview = mode === 'immediate' ? now : atEnd
  const agreed = { immediate: useAgreement(now), period_end: useAgreement(atEnd) }
  const { former, commit } = agreed[mode]
  const pause = async () => {
    const body = { ...bodyOf(choice, preview.data), preview_hash: preview.data?.preview_hash ?? '' }
    await call('POST /subscriptions/{id}/pause', { params, body })
    await changed()
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.pauseTitle, { what: of.view.description })}
      verb={t.pause}
      onConfirm={() => commit(pause)}
      disabled={!preview.data || preview.isFetching || !isComplete(choice, preview.data)}
      refusalOf={quietWhenStale}
      size="lg"
    >
      <FiguresChanged since={former} />
      <When
        {...{ of, mode }}
        now={{ preview: now.data, former: agreed.immediate.former }}
        atEnd={{ preview: atEnd.data, former: agreed.period_end.former }}
        onChange={(chosen) => change({ mode: chosen })}
      />
      <Refusal error={preview.error} />
      {preview.data?.requires_unused_time_choice && <UnusedTime {...{ choice, change, preview: preview.data, of }} />}
      {preview.data && <Effects preview={preview.data} former={former} of={of} />}
      <TextInput
        label={t.reason}
        value={choice.reason}
        maxLength={REASON_MAX}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
    </ConfirmDialog>
  )
}

interface Shown {
  preview: PausePreviewPage | undefined
  former: PausePreviewPage | null
}

interface WhenProps extends Pick<DialogProps, 'of'> {
  mode: Choice['mode']
  onChange(mode: Choice['mode']): void
  now: Shown
  atEnd: Shown
}

/** The two times at which the pause may begin, with the day and the customer's remaining paid time. */
function When({ of, mode, onChange, now, atEnd }: WhenProps) {
  const t = useTexts(TEXTS)
  const day = useDayText()
  const left = useLeft(of)
  const { is_charging: isCharging, time_zone: zone } = of.view
  const begins = ({ view }: PausePreviewPage) => fill(t.pauseOn, { day: day(dayAt(view.effective_at, zone)) })
  const shown = ({ preview, former }: Shown, text: (one: PausePreviewPage) => string) =>
    preview && <Was former={former ? text(former) : undefined} now={text(preview)} />
  return (
    <Radio.Group label={t.pauseWhen} value={mode} onChange={(value) => onChange(value as Choice['mode'])}>
      <div className="choices">
        <Radio
          className="choice"
          value="immediate"
          label={t.pauseNow}
          description={isCharging ? t.pauseCharging : shown(now, left)}
          disabled={isCharging}
        />
        <Radio className="choice" value="period_end" label={t.pauseAtEnd} description={shown(atEnd, begins)} />
      </div>
    </Radio.Group>
  )
}

/** Returns the text for the paid time that is unused if the pause begins now. */
function useLeft(of: DialogProps['of']): (preview: PausePreviewPage) => string {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const locale = useLocale()
  const day = useDayText()
  const instant = useInstantText()
  return ({ requires_unused_time_choice: isLeft, remaining_paid_days, unused_prepaid_amount, view }) => {
    if (!isLeft || view.paid_through === null) return t.pauseNothingLeft
    return fill(t.pauseLeft, {
      day: view.paid_through_at === null ? day(view.paid_through) : instant(view.paid_through_at),
      days: plural(t.days, remaining_paid_days, locale),
      amount: money(unused_prepaid_amount, of.currency.toUpperCase()),
    })
  }
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

interface EffectsProps extends Pick<DialogProps, 'of'> {
  preview: PausePreviewPage
  former: PausePreviewPage | null
}

function Effects({ preview, former, of }: EffectsProps) {
  const t = useTexts(TEXTS)
  return (
    <>
      <DroppedText dropped={preview.view.dropped} former={former?.view.dropped} currency={of.currency} />
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
  const locale = useLocale()
  const currency = of.currency.toUpperCase()
  const suggested = money(preview.suggested_refund_amount, currency)
  const left = {
    days: plural(t.days, preview.remaining_paid_days, locale),
    amount: money(preview.unused_prepaid_amount, currency),
    suggested,
  }
  return (
    <>
      <Radio.Group
        label={t.unusedChoice}
        value={choice.behavior}
        onChange={(value) => change({ behavior: value as Behavior })}
        withAsterisk
      >
        <div className="choices">
          <Radio className="choice" value="preserve_time" label={t.keepTime} description={fill(t.keepTimeText, left)} />
          <Radio
            className="choice"
            value="external_refund"
            label={t.giveBack}
            description={fill(t.giveBackText, left)}
          />
        </div>
      </Radio.Group>
      {choice.behavior === 'external_refund' && <ExternalRefund {...{ choice, change, preview, suggested }} />}
    </>
  )
}

/** The refund that the merchant makes separately: it opens in another tab, so that the choices here are preserved. */
function ExternalRefund({ choice, change, preview, suggested }: Omit<UnusedTimeProps, 'of'> & { suggested: string }) {
  const t = useTexts(TEXTS)
  const payment = preview.view.covering_payment
  return (
    <>
      <p>
        {fill(t.suggestedRefund, { amount: suggested })}{' '}
        {payment !== null && (
          <AppLink to={`payments/${payment}`} target="_blank">
            {t.refundFirst}
          </AppLink>
        )}
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
        maxLength={REASON_MAX}
        onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
      />
      <Textarea
        label={t.refundNote}
        value={choice.note}
        maxLength={NOTE_MAX}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
      />
    </>
  )
}
