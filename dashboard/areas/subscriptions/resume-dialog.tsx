import { Button, Radio } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ResumeChoice, ResumePreviews } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useAgreement, usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, DayRange } from '../../kit/time.tsx'
import type { DialogProps } from './dialog-props.ts'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { CardText } from './words.tsx'

type Anchor = 'now' | 'unchanged'

/** The two ways to resume, side by side. */
export default function ResumeDialog({ of, onClose, onOtherCard }: DialogProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const params = { id: of.id }
  const [anchor, setAnchor] = useState<Anchor | null>(null)
  const preview = usePreview('POST /subscriptions/{id}/resume/preview', { params, enabled: true })
  const { former, commit } = useAgreement(preview)
  const resume = useResume(of.id, anchor, preview.data)
  const due = anchor === null ? 0 : (preview.data?.[anchor].charge_due_today ?? 0)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.resumeTitle, { what: of.view.description })}
      verb={due > 0 ? fill(t.resumeAndCharge, { amount: money(due, of.currency.toUpperCase()) }) : t.resume}
      isOnce
      onConfirm={(key) => commit(() => resume(key))}
      disabled={anchor === null || !preview.data}
      refusalOf={(error) => refusalOf(error, t, onOtherCard)}
      size="xl"
    >
      <Refusal error={preview.error} />
      {preview.data && (
        <>
          <Radio.Group aria-label={t.resume} value={anchor} onChange={(value) => setAnchor(value as Anchor)}>
            <div className="choices">
              <ChoiceCard value="now" label={t.resumeNow} choice={preview.data.now} former={former?.now} of={of} />
              <ChoiceCard
                value="unchanged"
                label={t.resumeUnchanged}
                choice={preview.data.unchanged}
                former={former?.unchanged}
                of={of}
              />
            </div>
          </Radio.Group>
          <CardText card={preview.data.card} />
        </>
      )}
    </ConfirmDialog>
  )
}

function useResume(id: string, anchor: Anchor | null, shown: ResumePreviews | undefined) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const changed = useChanged()
  const toast = useToast()
  return async (key: string) => {
    if (anchor === null || !shown) return
    const quote = shown[anchor].quote_hash
    const body = {
      billing_cycle_anchor: anchor,
      proration_behavior: 'none' as const,
      ...(quote !== null && { quote_hash: quote }),
    }
    try {
      await call('POST /subscriptions/{id}/resume', { params: { id }, body, key })
      toast(t.resumedDone)
    } finally {
      await changed()
    }
  }
}

type Texts = ReturnType<typeof useTexts<(typeof TEXTS)['english']>>

function refusalOf({ code, extra }: CallError, t: Texts, onOtherCard: () => void): ReactNode {
  if (code === 'quote_stale') return <Notice tone="warn" text={t.resumeStale} />
  if (code !== 'card_declined' || typeof extra.decline_code !== 'string') return null
  return (
    <Notice tone="bad" text={fill(t.resumeDeclined, { code: extra.decline_code })}>
      <Button variant="default" size="sm" onClick={onOtherCard}>
        {t.otherCard}
      </Button>
    </Notice>
  )
}

interface ChoiceCardProps extends Pick<DialogProps, 'of'> {
  value: Anchor
  label: string
  choice: ResumeChoice
  former: ResumeChoice | undefined
}

function ChoiceCard({ value, label, choice, former, of }: ChoiceCardProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const amount = ({ charge_due_today: cents }: ResumeChoice) => money(cents, of.currency.toUpperCase())
  const period = (one: ResumeChoice) => <DayRange start={one.new_period_start} end={one.new_period_end} />
  const next = (one: ResumeChoice) => <Day of={one.next_billing_date} />
  return (
    <div className="choice">
      <Radio value={value} label={label} />
      <dl className="figures">
        <dt>{t.chargedToday}</dt>
        <dd>{changedFrom(former, choice, amount)}</dd>
        <dt>{t.newPeriod}</dt>
        <dd>{changedFrom(former, choice, period, ({ new_period_start: a, new_period_end: b }) => a + b)}</dd>
        <dt>{t.nextBill}</dt>
        <dd>{changedFrom(former, choice, next, (one) => one.next_billing_date)}</dd>
        <dt>{t.freeDays}</dt>
        <dd>{choice.free_days}</dd>
      </dl>
    </div>
  )
}

/** Returns the former figure struck through, if it differs. */
function changedFrom(
  former: ResumeChoice | undefined,
  now: ResumeChoice,
  show: (one: ResumeChoice) => ReactNode,
  textOf: (one: ResumeChoice) => ReactNode = show,
): ReactNode {
  if (!former || textOf(former) === textOf(now)) return show(now)
  return (
    <>
      <s>{show(former)}</s> {show(now)}
    </>
  )
}
