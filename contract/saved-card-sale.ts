import Type, { type Static } from 'typebox'
import { Amount, IpAddress, Line, Uuid } from './formats.ts'

/** Spec, «Saved-card sale»: what `POST /api/{business_id}/customer/{customer_id}/sale` takes. The currency is the business's. */
export const SavedCardSale = Type.Object({
  amount: Amount(0.01),
  cardId: Uuid(),
  /** Of the customer, where the sale was asked for over the web. */
  ip_address: Type.Optional(IpAddress()),
  user_agent: Type.Optional(Line(500)),
})
export type SavedCardSale = Static<typeof SavedCardSale>

/** `code` is the result code. Nothing was taken by a decline: it has no receipt, and its record is that of the event `sale.failed`. */
export type SavedCardSaleAnswer =
  | { ok: true; status: 'Approved'; code: string; message: string; receiptID: string; recordID: string }
  | { ok: false; status: 'Declined'; code: string; message: string; recordID: string }
