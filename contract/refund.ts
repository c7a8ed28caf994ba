import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'

/** Largest amount of a refund, in cents: a payment may not have more. */
const AMOUNT_MAX = 99_999_999

export const RefundCreate = Type.Object(
  {
    payment: Type.Unsafe<string>({ ...Uuid(), description: 'A payment of a subscription.' }),
    amount: Type.Optional(
      Type.Integer({ minimum: 1, maximum: AMOUNT_MAX, description: 'In cents; absent, the whole rest is refunded.' }),
    ),
  },
  { title: 'RefundCreate' },
)
export type RefundCreate = Static<typeof RefundCreate>

export const REFUND_STATUSES = ['succeeded', 'pending', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export const REFUND_FAILURES = ['declined', 'refused', 'gateway_unavailable'] as const
export type RefundFailure = (typeof REFUND_FAILURES)[number]

export const Refund = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('refund'),
    payment: Uuid(),
    subscription: Type.Unsafe<string | null>({
      ...Nullable(Uuid()),
      description: '`null` of a payment that is not of a subscription, which the dashboard refunds.',
    }),
    customer: Nullable(Uuid()),
    amount: Type.Integer({ minimum: 1 }),
    currency: OneOf(['usd', 'cad']),
    status: Type.Unsafe<RefundStatus>({
      ...OneOf(REFUND_STATUSES),
      description: '`pending`: the gateway has not confirmed it yet; its amount stays reserved.',
    }),
    failure_reason: Type.Unsafe<RefundFailure | null>({
      ...Nullable(OneOf(REFUND_FAILURES)),
      description:
        '`declined` by the issuer; `refused` by the gateway; `gateway_unavailable`: nothing was sent, it may be repeated.',
    }),
    receipt_id: Nullable(Type.String()),
    created: EpochSeconds(),
  },
  { title: 'Refund' },
)
export type Refund = Static<typeof Refund>

export const RefundListQuery = Type.Object({
  ...PAGE,
  payment: Type.Optional(Type.Unsafe<string>({ ...Uuid(), description: 'Only refunds of this payment.' })),
})

export const RefundList = ListOf(Refund, 'RefundList')
