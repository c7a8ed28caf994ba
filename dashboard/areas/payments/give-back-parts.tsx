import { Alert, Select, TextInput } from '@mantine/core'
import type { RefundPreview, VoidPreview } from '../../../contract/dashboard/payments-api.ts'
import { REFUND_REASONS, type RefundReason } from '../../../contract/dashboard/refund-reasons.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { PAYMENT_TEXTS } from './texts/texts.ts'

/** Reason of a refund or void. */
export interface Why {
  reason: RefundReason
  note: string
}

export const FIRST_WHY: Why = { reason: 'requested', note: '' }

/** Returns the members of the call. */
export const whyBody = ({ reason, note }: Why) => ({ reason, ...(note.trim() !== '' && { note: note.trim() }) })

export function WhyFields({ why, onChange }: { why: Why; onChange(why: Why): void }) {
  const t = useTexts(PAYMENT_TEXTS)
  return (
    <>
      <Select
        label={t.reason}
        data={REFUND_REASONS.map((value) => ({ value, label: t[value] }))}
        value={why.reason}
        allowDeselect={false}
        onChange={(reason) => onChange({ ...why, reason: (reason ?? 'requested') as RefundReason })}
      />
      <TextInput
        label={t.note}
        description={t.noteHint}
        value={why.note}
        maxLength={255}
        onChange={({ currentTarget }) => onChange({ ...why, note: currentTarget.value })}
      />
    </>
  )
}

type Effects = Pick<RefundPreview | VoidPreview, 'letters' | 'needs_step_up' | 'is_over_limit'>

/** Recipients of the letter, and whether a limit or step-up stands in the way. */
export function EffectLines({
  preview: { letters, needs_step_up: needsStepUp, is_over_limit: isOver },
}: {
  preview: Effects
}) {
  const t = useTexts(PAYMENT_TEXTS)
  return (
    <>
      {letters.length === 0 && <p>{t.noLetter}</p>}
      {letters.map(({ recipient }) => (
        <p key={recipient}>{fill(t.letterTo, { recipient: recipient ?? '' })}</p>
      ))}
      {isOver && <Alert color="red" variant="outline" title={t.overLimit} role="group" />}
      {needsStepUp && !isOver && <p>{t.needsStepUp}</p>}
    </>
  )
}
