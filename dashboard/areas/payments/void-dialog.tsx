import { useState } from 'react'
import type { PaymentDetail, VoidPreview } from '../../../contract/dashboard/payments-api.ts'
import { useCall } from '../../kit/call.ts'
import { Fields } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMoney } from '../../kit/money.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { FiguresChanged, Was } from '../../kit/was.tsx'
import { EffectLines, FIRST_WHY, WhyFields, whyBody } from './give-back-parts.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'
import { useChanged } from './use-changed.ts'

/** Voids a whole payment while its batch is open. */
export default function VoidDialog({ payment, onClose }: { payment: PaymentDetail; onClose(): void }) {
  const t = useTexts(PAYMENT_TEXTS)
  const [call, changed, toast, money] = [useCall(), useChanged(), useToast(), useMoney()]
  const [why, setWhy] = useState(FIRST_WHY)
  const { id } = payment
  const preview = usePreview('POST /payments/{id}/voids/preview', { params: { id }, enabled: true })
  const { former, commit } = useAgreement(preview)
  const amount = money(preview.data?.amount ?? payment.amount, payment.currency.toUpperCase())
  async function confirm(key: string): Promise<void> {
    try {
      const body = { ...whyBody(why), ...(preview.data && { preview_hash: preview.data.preview_hash }) }
      const { status, failure_reason: reason } = await commit(() =>
        call('POST /payments/{id}/voids', { params: { id }, body, key }),
      )
      if (status === 'succeeded') toast(fill(t.voidDone, { amount }))
      else toast(status === 'pending' ? t.voidPending : fill(t.voidFailed, { reason: reason ? t[reason] : '' }))
    } finally {
      await changed()
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.voidTitle}
      verb={fill(t.voidVerb, { amount })}
      disabled={!preview.data || preview.data.is_over_limit || preview.isFetching}
      isOnce
      onConfirm={confirm}
      refusalOf={quietWhenStale}
      size="lg"
    >
      <FiguresChanged since={former} />
      <p>{t.voidText}</p>
      {payment.subscription && <p>{t.voidTime}</p>}
      <Refusal error={preview.error} />
      <WhyFields why={why} onChange={setWhy} />
      {preview.data && <Figures preview={preview.data} former={former} />}
      {preview.data && <EffectLines preview={preview.data} />}
    </ConfirmDialog>
  )
}

function Figures({ preview, former }: { preview: VoidPreview; former: VoidPreview | null }) {
  const t = useTexts(PAYMENT_TEXTS)
  const money = useMoney()
  const amount = (one: VoidPreview) => money(one.amount, one.currency.toUpperCase())
  const batch = ({ batch: one }: VoidPreview) =>
    one === null ? t.inOpenBatch : fill(t.inBatch, { number: one.number, status: t[`batch_${one.status}`] })
  const was = (text: (one: VoidPreview) => string) => (
    <Was former={former ? text(former) : undefined} now={text(preview)} />
  )
  return (
    <Fields
      items={[
        [t.amount, was(amount)],
        [t.batch, was(batch)],
      ]}
    />
  )
}
