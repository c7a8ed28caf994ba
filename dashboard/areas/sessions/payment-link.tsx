import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionDetail } from '../../../contract/dashboard/sessions-api.ts'
import { useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { LinkOnDemand } from '../../kit/link-on-demand.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { useInstantText } from '../../kit/time.tsx'
import { SESSION_TEXTS } from './texts/texts.ts'

/** Key under which the link of a new session is stored until its page shows it. */
export const newLinkKey = (id: string) => ['new payment link', id]

/** The link of a session that can be paid, to copy and to scan. */
export function PaymentLink({ session }: { session: SessionDetail }) {
  const t = useTexts(SESSION_TEXTS)
  const time = useInstantText()
  const call = useCall()
  const mayShow = useMay('sessions.write')
  const cache = useQueryClient()
  const { id, session_status: status, ui_mode: look, view } = session
  if (look !== 'hosted') return null
  if (status !== 'PENDING') return <p className="dimmed">{t.linkOver}</p>
  if (!mayShow) return null
  return (
    <Card title={t.link}>
      <p>{fill(t.linkText, { time: time(view.expires_at) })}</p>
      <LinkOnDemand
        label={t.link}
        known={cache.getQueryData<string>(newLinkKey(id))}
        show={() => call('POST /checkout_sessions/{id}/show_link', { params: { id } })}
      />
    </Card>
  )
}

export function CancelSession({ session }: { session: SessionDetail }) {
  const t = useTexts(SESSION_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [call, invalidate, money, toast] = [useCall(), useInvalidate(), useMoney(), useToast()]
  const mayCancel = useMay('sessions.write')
  const { id, session_status: status, currency, view } = session
  const isPending = status === 'PENDING'
  // The dialog stays open, with its refusal, if the session has ended meanwhile.
  if (!(isPending || isOpen) || !mayCancel) return null
  async function cancel() {
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    try {
      await call('POST /checkout_sessions/{id}/cancel', { params: { id }, body })
      toast(t.cancelled)
    } finally {
      // It may have been paid meanwhile.
      await invalidate('GET /checkout_sessions/{id}', 'GET /checkout_sessions')
    }
  }
  return (
    <>
      {isPending && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {t.cancelVerb}
        </Button>
      )}
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.cancelTitle}
        verb={t.cancelVerb}
        tone="danger"
        disabled={!isPending}
        onConfirm={cancel}
      >
        <p>{fill(t.cancelText, { amount: money(view.amount_total, currency) })}</p>
        <TextInput
          label={t.cancelReason}
          value={reason}
          maxLength={255}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </ConfirmDialog>
    </>
  )
}
