import Type, { type Static } from 'typebox'
import { Amount, Currency, Email } from './formats.ts'

/** Spec, «Modal session»: what `POST /api/{business_id}/rapid-checkout/create` takes. */
export const ModalSessionCreate = Type.Object(
  {
    amount_total: Amount(0.01),
    customer_email: Email(),
    currency: Type.Optional(Currency()),
    amount_subtotal: Type.Optional(Amount()),
    amount_tax: Type.Optional(Amount()),
    amount_discount: Type.Optional(Amount()),
    surcharge: Type.Optional(Type.Boolean()),
  },
  { title: 'ModalSessionCreate' },
)
export type ModalSessionCreate = Static<typeof ModalSessionCreate>
