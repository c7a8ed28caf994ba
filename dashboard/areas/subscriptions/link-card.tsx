import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { Copy } from '../../kit/copy.tsx'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { lazyPart } from '../../kit/lazy-part.ts'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

const Qr = lazyPart(() => import('../../kit/qr.tsx'))

/** Where the customer enters the card. */
export function LinkCard({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const link = of.view.link ?? ''
  const [showsQr, setShowsQr] = useState(of.view.status === 'INACTIVE')
  return (
    <Card title={t.link} actions={<SendButton of={of} />}>
      <p>{of.view.status === 'INACTIVE' ? t.linkFirst : t.linkOther}</p>
      <p>
        <code>{link}</code> <Copy text={link} label={t.linkOf} />
      </p>
      {showsQr ? (
        <Suspense>
          <Qr text={link} label={t.linkOf} />
        </Suspense>
      ) : (
        <Button variant="default" size="sm" onClick={() => setShowsQr(true)}>
          {t.linkQr}
        </Button>
      )}
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
  if (!useMay('subscriptions.write')) return null
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
