import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { PaymentDetail } from '../../../contract/dashboard/payments-api.ts'
import { EventsLink, JsonView } from '../../kit/detail.tsx'
import { DownloadButton } from '../../kit/download-button.tsx'
import { lazyPart } from '../../kit/lazy-part.ts'
import { usePathParam } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { PaymentStatus } from '../../kit/payment-cells.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { ThreeDsFacts } from '../../kit/three-ds.tsx'
import { CardFacts, PaymentFacts } from './payment-facts.tsx'
import { Refunds } from './refunds.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'
import { Timeline } from './timeline.tsx'

const RefundDialog = lazyPart(() => import('./refund-dialog.tsx'))
const VoidDialog = lazyPart(() => import('./void-dialog.tsx'))

const OPEN_EVERY_MS = 5_000

/** A payment, or an attempt that took no money, with everything that happened to it. */
export default function PaymentPage() {
  const t = useTexts(PAYMENT_TEXTS)
  const id = usePathParam('id')
  const [isOpen, setOpen] = useState(false)
  const read = useRead('GET /payments/{id}', { params: { id }, ...(isOpen && { every: OPEN_EVERY_MS }) })
  const payment = read.data
  const open = payment !== undefined && (payment.is_in_progress || payment.status === 'pending')
  if (open !== isOpen) setOpen(open)
  const money = useMoney()
  const title = payment ? fill(t.paymentOf, { amount: money(payment.amount, payment.currency.toUpperCase()) }) : t.title
  return (
    <Page
      title={title}
      badge={payment && <PaymentStatus status={payment.status} />}
      breadcrumbs={[{ label: t.title, to: 'payments' }]}
      actions={payment && <Actions payment={payment} />}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {payment && (
        <>
          <Reasons payment={payment} />
          <div className="cards">
            <PaymentFacts payment={payment} />
            <CardFacts payment={payment} />
            {payment.authentication && <ThreeDsFacts authentication={payment.authentication} />}
          </div>
          <Refunds payment={payment} />
          <Timeline id={payment.id} currency={payment.currency} isOpen={open} />
          {payment.payment ? (
            <JsonView
              path={pathOf(payment.subscription, payment.payment.id)}
              document={payment.payment}
              events={payment.payment.id}
            />
          ) : (
            <AttemptEvents payment={payment} />
          )}
        </>
      )}
    </Page>
  )
}

/** Path of the payment in the merchant API, which only has payments of subscriptions. */
const pathOf = (subscription: string | null, id: string) =>
  subscription && `GET /api/v1/subscriptions/${subscription}/payments/${id}`

/**
 * Link to the events of an attempt. The merchant API has no object for it; its events name its session, or the sale.
 */
function AttemptEvents({ payment: { id, session } }: { payment: PaymentDetail }) {
  const t = useTexts(PAYMENT_TEXTS)
  return <EventsLink object={session ?? id}>{session ? t.eventsOfSession : t.eventsOfSale}</EventsLink>
}

function Actions({ payment }: { payment: PaymentDetail }) {
  const t = useTexts(PAYMENT_TEXTS)
  const [dialog, setDialog] = useState<'refund' | 'void' | null>(null)
  const [mayRefund, mayVoid] = [useMay('payments.refund'), useMay('payments.void')]
  const { id, receipt_id: receipt, refund_impossible: noRefund, void_impossible: noVoid } = payment
  const close = () => setDialog(null)
  const hasReceipt = payment.payment !== null && payment.status !== 'failed'
  return (
    <>
      {hasReceipt && (
        <DownloadButton name="GET /payments/{id}/receipt" options={{ params: { id } }} fileName={`${receipt}.pdf`}>
          {t.getReceipt}
        </DownloadButton>
      )}
      {mayVoid && noVoid === null && (
        <Button variant="default" onClick={() => setDialog('void')}>
          {t.void}
        </Button>
      )}
      {mayRefund && noRefund === null && (
        <Button variant="default" onClick={() => setDialog('refund')}>
          {t.refund}
        </Button>
      )}
      <Suspense fallback={null}>
        {dialog === 'refund' && <RefundDialog payment={payment} onClose={close} />}
        {dialog === 'void' && <VoidDialog payment={payment} onClose={close} />}
      </Suspense>
    </>
  )
}

/** Explains why there is no button to refund or void, for people who look for one. */
function Reasons({ payment }: { payment: PaymentDetail }) {
  const t = useTexts(PAYMENT_TEXTS)
  const may = useMay('payments.refund')
  const { refund_impossible: noRefund, void_impossible: noVoid } = payment
  const reason = noRefund ?? noVoid
  if (!may || reason === null || payment.status === 'failed') return null
  // A sale without an outcome has no payment either, but money may have been taken (DSH-6).
  return <p className="dimmed">{t[`why_${payment.status === 'pending' ? 'pending' : reason}`]}</p>
}
