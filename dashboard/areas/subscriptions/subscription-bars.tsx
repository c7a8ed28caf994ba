import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { useToast } from '../../kit/dialog.tsx'
import { lazyPart } from '../../kit/lazy-part.ts'
import { useMay } from '../../kit/me.ts'
import type { MissedDecision } from '../../kit/missed-bills-dialog.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { dayAt } from './words.tsx'

const MissedBillsDialog = lazyPart(() => import('../../kit/missed-bills-dialog.tsx'))

/** Pending changes, each with a button to revoke it. */
export function SubscriptionBars({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const dayText = useDayText()
  const day = (at: number) => dayText(dayAt(at, of.view.time_zone))
  return (
    <>
      {of.pause_at !== null && (
        <UndoBar text={fill(t.pausePending, { day: day(of.pause_at) })} verb={t.undoPause} what="pause" id={of.id} />
      )}
      {of.cancel_at_period_end && of.cancel_at !== null && (
        <UndoBar
          text={fill(t.cancelPending, { day: day(of.cancel_at) })}
          verb={t.undoCancel}
          what="cancel"
          id={of.id}
        />
      )}
      {of.view.is_held && <CatchUpBar of={of} />}
    </>
  )
}

function UndoBar({ text, verb, what, id }: { text: string; verb: string; what: 'pause' | 'cancel'; id: string }) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const changed = useChanged()
  const toast = useToast()
  const [error, setError] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const undo = async () => {
    setSending(true)
    try {
      if (what === 'pause') await call('POST /subscriptions/{id}/pause-at-period-end/undo', { params: { id } })
      else await call('POST /subscriptions/{id}', { params: { id }, body: { cancel_at_period_end: false } })
      toast(t.undone)
    } catch (failed) {
      setError(failed)
    } finally {
      setSending(false)
      await changed()
    }
  }
  const may = useMay('subscriptions.write')
  return (
    <div className="bar">
      <span>{text}</span>
      {may && (
        <Button variant="default" size="sm" loading={isSending} onClick={() => void undo()}>
          {verb}
        </Button>
      )}
      <Refusal error={error} />
    </div>
  )
}

function CatchUpBar({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const may = useMay('subscriptions.write')
  const [choice, setChoice] = useState<MissedDecision['choice'] | null>(null)
  const { customer, description } = of.view
  const about = [customer.name ?? customer.email, description].filter(Boolean).join(' · ')
  return (
    <div className="bar">
      <span>{t.catchUp}</span>
      {may && (
        <>
          <Button size="sm" onClick={() => setChoice('bill')}>
            {t.billMissed}
          </Button>
          <Button variant="default" size="sm" onClick={() => setChoice('skip')}>
            {t.skipMissed}
          </Button>
        </>
      )}
      {choice && (
        <Suspense>
          <MissedBillsDialog decision={{ choice, subscriptionId: of.id, about }} onClose={() => setChoice(null)} />
        </Suspense>
      )}
    </div>
  )
}
