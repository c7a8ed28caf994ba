import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { LinkOnDemand } from '../../kit/link-on-demand.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** The link where the customer enters the card. */
export function LinkCard({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const isFirst = of.status === 'pending_payment_method'
  if (!useMay('subscriptions.write')) return null
  return (
    <Card title={t.link} actions={<SendButton of={of} />}>
      <p>{isFirst ? t.linkFirst : t.linkOther}</p>
      <LinkOnDemand
        label={t.linkOf}
        show={() => call('POST /subscriptions/{id}/show_link', { params: { id: of.id } })}
      />
    </Card>
  )
}

function SendButton({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const [isOpen, setOpen] = useState(false)
  const call = useCall()
  const toast = useToast()
  const invalidate = useInvalidate()
  const { email } = of.view.customer
  const send = async (key: string) => {
    await call('POST /subscriptions/{id}/link', { params: { id: of.id }, key })
    toast(t.linkSent)
    await invalidate('GET /subscriptions/{id}')
  }
  return (
    <>
      <Button variant="default" size="sm" disabled={email === null} onClick={() => setOpen(true)}>
        {t.sendLink}
      </Button>
      {email === null && <span className="dimmed">{t.noEmail}</span>}
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.sendLink}
        verb={t.sendLink}
        isOnce
        onConfirm={send}
      >
        <p>{fill(t.sendLinkText, { email: email ?? '' })}</p>
      </ConfirmDialog>
    </>
  )
}
