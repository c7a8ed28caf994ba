import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, Nullable, OneOf, Uuid } from './formats.ts'
import { ListOf } from './list.ts'

export const PAYMENT_STATUSES = ['succeeded', 'failed', 'refunded', 'voided'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const PAYMENT_TRIGGERS = ['initial', 'scheduled', 'retry', 'manual', 'resume'] as const
export type PaymentTrigger = (typeof PAYMENT_TRIGGERS)[number]

/** Days of the period as `YYYY-MM-DD`, in the time zone of the subscription. */
const Period = Type.Object({ start: Day(), end: Day() }, { title: 'PaymentPeriod' })

/** A payment as the merchant API and its events show it. Amounts in cents. */
export const Payment = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('payment'),
    subscription: Type.Unsafe<string | null>({
      ...Nullable(Uuid()),
      description: '`null` of a payment that is not of a subscription: in events, and in the payments of a batch.',
    }),
    customer: Nullable(Uuid()),
    payment_method: Nullable(Uuid()),
    amount: Type.Integer({ minimum: 1, description: 'The whole amount, including tax and surcharge.' }),
    surcharge_amount: Type.Integer({ minimum: 0 }),
    tax_amount: Type.Integer({ minimum: 0 }),
    currency: OneOf(['usd', 'cad']),
    status: OneOf(PAYMENT_STATUSES),
    refunded_amount: Type.Integer({ minimum: 0 }),
    attempt: Type.Unsafe<number | null>({
      ...Nullable(Type.Integer({ minimum: 1 })),
      description: 'Counts the attempts of a bill from 1.',
    }),
    trigger: Nullable(OneOf(PAYMENT_TRIGGERS)),
    failure_code: Nullable(Type.String()),
    failure_message: Nullable(Type.String()),
    next_retry_at: Type.Unsafe<number | null>({
      ...Nullable(EpochSeconds()),
      description: 'Time of the next attempt on the bill, if the payment failed.',
    }),
    period: Type.Unsafe<Static<typeof Period> | null>({
      ...Nullable(Period),
      description: 'The days that were billed; `end` is exclusive. `null` of a payment that is not of a subscription.',
    }),
    batch: Type.Unsafe<string | null>({ ...Nullable(Uuid()), description: 'The batch that holds it.' }),
    receipt_id: Type.String(),
    created: EpochSeconds(),
  },
  { title: 'Payment' },
)
export type Payment = Static<typeof Payment>

export const PaymentList = ListOf(Payment, 'PaymentList')
