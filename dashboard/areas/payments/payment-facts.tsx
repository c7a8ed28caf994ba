import type { ReactNode } from 'react'
import type { PaymentDetail } from '../../../contract/dashboard/payments-api.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { avsText, codeText, cvvText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { DayRange, Instant } from '../../kit/time.tsx'
import { cardOf, customerOf, isRepeated, type Texts, whatOf } from './payment-words.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'

type Field = [label: string, value: ReactNode]

/** Amount, payer and purpose of a payment. */
export function PaymentFacts({ payment }: { payment: PaymentDetail }) {
  const t = useTexts(PAYMENT_TEXTS)
  const { customer, period } = payment
  const name = customerOf(payment)
  const fields: (Field | null)[] = [
    ...useAmounts(payment),
    [t.what, whatOf(payment, t)],
    [t.customer, customer?.id ? linkTo(`customers/${customer.id}`, name) : name],
    [t.created, <Instant key="at" at={payment.created} />],
    payment.trigger ? [t.trigger, t[payment.trigger]] : null,
    isRepeated(payment) ? [t.attempt, payment.attempt] : null,
    period && [t.period, <DayRange key="period" {...period} />],
    payment.reference ? [t.reference, payment.reference] : null,
    payment.subscription ? [t.subscription, linkTo(`subscriptions/${payment.subscription}`, t.showSubscription)] : null,
    payment.session ? [t.session, linkTo(`sessions/${payment.session}`, t.showSession)] : null,
  ]
  return (
    <Card title={t.details}>
      <Fields items={fields.filter((field) => field !== null)} />
    </Card>
  )
}

const linkTo = (to: string, text: string | null) => (
  <AppLink key={to} to={to}>
    {text}
  </AppLink>
)

/** Returns the amounts; tax, surcharge and refunds only if there are any. */
function useAmounts(payment: PaymentDetail): (Field | null)[] {
  const t = useTexts(PAYMENT_TEXTS)
  const money = useMoney()
  const of = (cents: number) => money(cents, payment.currency.toUpperCase())
  const some = (label: string, cents: number): Field | null => (cents > 0 ? [label, of(cents)] : null)
  return [
    [t.amount, of(payment.amount)],
    some(t.tax, payment.tax_amount),
    some(t.surcharge, payment.surcharge_amount),
    some(t.refundedAmount, payment.refunded_amount),
    some(t.pendingAmount, payment.refund_pending_amount),
    payment.payment && payment.status !== 'failed' ? [t.rest, of(payment.refundable_amount)] : null,
  ]
}

/** The card, and the gateway's response. */
export function CardFacts({ payment }: { payment: PaymentDetail }) {
  const t = useTexts(PAYMENT_TEXTS)
  const gateway = useGatewayTexts()
  const { card, source } = payment
  const fields: (Field | null)[] = [
    [t.card, cardOf(payment)],
    card?.first6 ? ['BIN', card.first6] : null,
    source ? [t.source, t[source]] : null,
    [t.result, codeText(payment.code, gateway)],
    [t.gatewayText, payment.message],
    payment.avs_result ? [t.avs, avsText(payment.avs_result, gateway)] : null,
    payment.cvv_result ? [t.cvv, cvvText(payment.cvv_result, gateway)] : null,
    payment.receipt_id ? [t.receipt, payment.receipt_id] : null,
    payment.issuer_reference ? [t.issuerReference, payment.issuer_reference] : null,
    [t.batch, batchText(payment, t)],
  ]
  return (
    <Card title={t.card}>
      <Fields items={fields.filter((field) => field !== null)} />
    </Card>
  )
}

function batchText({ shown_batch: batch, payment, status }: PaymentDetail, t: Texts): ReactNode {
  if (payment === null || status === 'failed' || status === 'voided') return null
  if (batch === null) return t.inOpenBatch
  const text = fill(t.inBatch, { number: batch.number, status: t[`batch_${batch.status}`] })
  return <AppLink to={`batches/${batch.id}`}>{text}</AppLink>
}
