import Type, { type Static } from 'typebox'
import { SIGN_UP_INTERVALS } from './checkout-session.ts'
import { Day, Nullable, OneOf } from './formats.ts'

/** What the payer signs up for. Days are local to the business, `YYYY-MM-DD`. */
export const FormSubscription = Type.Object(
  {
    interval: OneOf(SIGN_UP_INTERVALS),
    name: Nullable(Type.String()),
    start_date: Nullable(Type.String()),
    first_charge: Type.Number({
      description: 'What is charged now, before a surcharge; 0 when the first bill falls on a later day.',
    }),
    first_charge_date: Day(),
    next_charge_date: Nullable(
      Type.Unsafe<string>({ ...Day(), description: 'Day of the second bill, if there is one.' }),
    ),
    replaces_card: Type.Optional(
      Type.Boolean({ description: 'The customer of a running plan enters another card; nothing is charged now.' }),
    ),
    installments: Nullable(Type.Integer({ description: 'Ends after so many bills; `null` until it is canceled.' })),
  },
  { title: 'FormSubscription' },
)
export type FormSubscription = Static<typeof FormSubscription>
