import { type ReactNode, useState } from 'react'
import type { PaymentDetail, RefundPreview } from '../../../contract/dashboard/payments-api.ts'
import { useCall } from '../../kit/call.ts'
import { Fields } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { AppLink } from '../../kit/links.tsx'
import { AmountField, useMoney } from '../../kit/money.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { FiguresChanged, Was } from '../../kit/was.tsx'
import { EffectLines, FIRST_WHY, WhyFields, whyBody } from './give-back-parts.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'
import { useChanged } from './use-changed.ts'

interface DialogProps {
  payment: PaymentDetail
  onClose(): void
}

/** Refunds part of a payment, or the rest of it. */
export default function RefundDialog({ payment, onClose }: DialogProps) {
  const t = useTexts(PAYMENT_TEXTS)
  const money = useMoney()
  const { id, refundable_amount: rest } = payment
  const currency = payment.currency.toUpperCase()
  const [amount, setAmount] = useState<number | null>(rest)
  const [why, setWhy] = useState(FIRST_WHY)
  const preview = usePreview('POST /payments/{id}/refunds/preview', {
    ...{ params: { id }, body: { amount: amount ?? 0 } },
    keepsPrevious: true,
    enabled: amount !== null && amount > 0,
  })
  const { refund, former } = useRefund(payment, preview)
  const shown = amount !== null && preview.data?.amount === amount && !preview.error ? preview.data : null
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.refundTitle}
      verb={fill(t.refundVerb, { amount: money(amount ?? 0, currency) })}
      disabled={!shown || shown.is_over_limit}
      isOnce
      onConfirm={(key) => refund({ amount: amount ?? 0, ...whyBody(why) }, key)}
      refusalOf={quietWhenStale}
      size="lg"
    >
      <FiguresChanged since={former} />
      <AmountField
        label={t.refundAmount}
        value={amount}
        currency={currency}
        onChange={setAmount}
        data-autofocus
        maw={240}
      />
      <Refusal error={preview.error} />
      {preview.data && <Figures preview={preview.data} former={former} />}
      <WhyFields why={why} onChange={setWhy} />
      {preview.data && <EffectLines preview={preview.data} />}
      {payment.subscription && (
        <p>
          {t.scheduleStays} <AppLink to={`subscriptions/${payment.subscription}`}>{t.toSubscription}</AppLink>
        </p>
      )}
    </ConfirmDialog>
  )
}

function Figures({ preview, former }: { preview: RefundPreview; former: RefundPreview | null }) {
  const t = useTexts(PAYMENT_TEXTS)
  const money = useMoney()
  const of = (figure: Figure) => {
    const text = (one: RefundPreview) => money(one[figure], one.currency.toUpperCase())
    return <Was key={figure} former={former ? text(former) : undefined} now={text(preview)} />
  }
  return (
    <Fields
      items={[
        [t.paid, of('paid_amount')],
        [t.refundedAmount, of('refunded_amount')],
        ...(preview.pending_amount > 0 ? [[t.pendingAmount, of('pending_amount')] as [string, ReactNode]] : []),
        [t.restAfter, of('rest_amount')],
        ...(preview.surcharge_amount > 0 ? [[t.surchargePart, of('surcharge_amount')] as [string, ReactNode]] : []),
      ]}
    />
  )
}

type Figure = 'paid_amount' | 'refunded_amount' | 'pending_amount' | 'rest_amount' | 'surcharge_amount'

type Preview = ReturnType<typeof usePreview<'POST /payments/{id}/refunds/preview'>>
type Asked = { amount: number } & ReturnType<typeof whyBody>

function useRefund({ id }: PaymentDetail, preview: Preview) {
  const t = useTexts(PAYMENT_TEXTS)
  const [call, changed, toast, money] = [useCall(), useChanged(), useToast(), useMoney()]
  const { former, commit } = useAgreement(preview)
  async function refund(asked: Asked, key: string): Promise<void> {
    try {
      const body = { ...asked, ...(preview.data && { preview_hash: preview.data.preview_hash }) }
      const made = await commit(() => call('POST /payments/{id}/refunds', { params: { id }, body, key }))
      if (made.status === 'pending') toast(t.refundPending)
      else if (made.status === 'succeeded')
        toast(fill(t.refundDone, { amount: money(made.amount, made.currency.toUpperCase()) }))
      else toast(fill(t.refundFailed, { reason: made.failure_reason ? t[made.failure_reason] : '' }))
    } finally {
      await changed()
    }
  }
  return { refund, former }
}
