import Type from 'typebox'
import { Day, Nullable, Uuid } from './formats.ts'

/** What an approved payment, or a card that was only verified, has led to (CHK-54). */
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
    Type.Unsafe<string>({ ...Day(), description: 'Of a subscription that begins later: its first charge.' }),
  ),
})
