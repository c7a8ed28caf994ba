import type { PaymentRowStatus } from '../../contract/dashboard/payment-row.ts'
import { useMoney } from './money.tsx'
import { PAYMENT_ROW_TEXTS } from './payment-texts/payment-texts.ts'
import { Status, type Tone } from './status.tsx'
import { fill, useTexts } from './texts.ts'

const TONES: Record<PaymentRowStatus, Tone> = {
  succeeded: 'good',
  partially_refunded: 'info',
  refunded: 'plain',
  voided: 'plain',
  failed: 'bad',
  pending: 'warn',
  reversed: 'plain',
  not_charged: 'plain',
}

export function PaymentStatus({ status }: { status: PaymentRowStatus }) {
  const t = useTexts(PAYMENT_ROW_TEXTS)
  return <Status tone={TONES[status]}>{t[status]}</Status>
}

interface PaidAmountProps {
  /** Amount and refunded amount are in cents. */
  payment: { amount: number; refunded_amount: number; currency: string }
}

/** Shows `$12.00`, and below it `$2.00 refunded`. */
export function PaidAmount({ payment: { amount, refunded_amount: refunded, currency } }: PaidAmountProps) {
  const t = useTexts(PAYMENT_ROW_TEXTS)
  const money = useMoney()
  const text = (cents: number) => money(cents, currency.toUpperCase())
  return (
    <>
      {text(amount)}
      {refunded > 0 && <div className="dimmed">{fill(t.refundedOf, { amount: text(refunded) })}</div>}
    </>
  )
}
