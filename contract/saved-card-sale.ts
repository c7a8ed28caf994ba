import Type, { type Static } from 'typebox'
import { Amount, Currency, IpAddress, Line, Uuid } from './formats.ts'

/** What `POST /api/{business_id}/customer/{customer_id}/sale` takes. The currency is the business's. */
export const SavedCardSale = Type.Object(
  {
    amount: Amount(0.01),
    cardId: Uuid(),
    /** Ignored: the sale is in the currency of the business. */
    currency: Type.Optional(Currency()),
    /** Of the customer, when the sale was requested over the web. */
    ip_address: Type.Optional(IpAddress()),
    user_agent: Type.Optional(Line(500)),
  },
  { title: 'SavedCardSale' },
)
export type SavedCardSale = Static<typeof SavedCardSale>

const OUTCOME = {
  code: Type.String({ description: 'The result code: `AA` is approved.' }),
  message: Type.String(),
  recordID: Type.String({ format: 'uuid' }),
}

/** A decline charges nothing and has no receipt; its `recordID` is that of the event `sale.failed`. */
export const SavedCardSaleResponse = Type.Union([
  Type.Object(
    { ok: Type.Literal(true), status: Type.Literal('Approved'), ...OUTCOME, receiptID: Type.String() },
    { title: 'SaleApproved' },
  ),
  Type.Object({ ok: Type.Literal(false), status: Type.Literal('Declined'), ...OUTCOME }, { title: 'SaleDeclined' }),
])
export type SavedCardSaleResponse = Static<typeof SavedCardSaleResponse>
