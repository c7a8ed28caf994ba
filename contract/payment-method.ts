import Type, { type Static } from 'typebox'
import { EpochSeconds, OneOf, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'

/** A stored card as the merchant API shows it. */
export const PaymentMethod = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('payment_method'),
    type: Type.Literal('card'),
    customer: Uuid(),
    card: Type.Object({
      brand: Type.String(),
      last4: Type.String(),
      exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
      exp_year: Type.Integer(),
    }),
    status: OneOf(['active', 'detached']),
    created: EpochSeconds(),
  },
  { title: 'PaymentMethod' },
)
export type PaymentMethod = Static<typeof PaymentMethod>

export const PaymentMethodListQuery = Type.Object({
  ...PAGE,
  customer: Type.Optional(Type.Unsafe<string>({ ...Uuid(), description: 'Only payment methods of this customer.' })),
})

export const PaymentMethodList = ListOf(PaymentMethod, 'PaymentMethodList')
