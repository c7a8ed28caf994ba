import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { dayAt } from './words.tsx'

/** What is about to happen, each with its way back. */
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
  const money = useMoney()
  const call = useCall()
  const changed = useChanged()
  const may = useMay('subscriptions.write')
  const [missed, setMissed] = useState<'bill' | 'skip' | null>(null)
  const confirm = async () => {
    if (missed !== null) await call('POST /subscriptions/{id}/catch_up', { params: { id: of.id }, body: { missed } })
    await changed()
  }
  const verb = missed === 'bill' ? t.billMissed : t.skipMissed
  return (
    <div className="bar">
      <span>{t.catchUp}</span>
      {may && (
        <>
          <Button size="sm" onClick={() => setMissed('bill')}>
            {t.billMissed}
          </Button>
          <Button variant="default" size="sm" onClick={() => setMissed('skip')}>
            {t.skipMissed}
          </Button>
        </>
      )}
      <ConfirmDialog
        opened={missed !== null}
        onClose={() => setMissed(null)}
        title={verb}
        verb={verb}
        onConfirm={confirm}
      >
        <p>
          {missed === 'bill'
            ? fill(t.billMissedText, { amount: money(of.amount, of.currency.toUpperCase()) })
            : t.skipMissedText}
        </p>
      </ConfirmDialog>
    </div>
  )
}
