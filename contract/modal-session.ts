import Type, { type Static } from 'typebox'
import { Amount, Currency, Email, Uuid } from './formats.ts'

/** Body of `POST /api/{business_id}/rapid-checkout/create` (CHK-17). */
export const ModalSessionCreate = Type.Object(
  {
    amount_total: Amount(0.01),
    customer_id: Type.Optional(Uuid()),
    customer_email: Type.Optional(Email()),
    currency: Type.Optional(Currency()),
    amount_subtotal: Type.Optional(Amount()),
    amount_tax: Type.Optional(Amount()),
    amount_discount: Type.Optional(Amount()),
    surcharge: Type.Optional(Type.Boolean()),
  },
  { title: 'ModalSessionCreate', description: 'One of customer_id and customer_email is required.' },
)
export type ModalSessionCreate = Static<typeof ModalSessionCreate>
