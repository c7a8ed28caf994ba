import Type from 'typebox'
import { Day, Nullable, Uuid } from './formats.ts'

/** Result of an approved payment, or of a card that was only verified (CHK-54). */
export const PayResult = Type.Object({
  code: Type.String(),
  recordID: Type.Unsafe<string>({
    ...Uuid(),
    description:
      'The payment. When nothing was charged: the verification of the card of a subscription that begins later, ' +
      'the subscription whose card was replaced, or the card that was stored.',
  }),
  receiptID: Type.Unsafe<string | null>({
    ...Nullable(Type.String()),
    description: '`null` when nothing was charged.',
  }),
  first_bill_date: Type.Optional(
    Type.Unsafe<string>({ ...Day(), description: 'Day of the first charge, if the subscription begins later.' }),
  ),
})
