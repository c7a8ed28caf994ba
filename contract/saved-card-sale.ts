import Type, { type Static } from 'typebox'
import { Amount, Currency, IpAddress, Line, Nullable, OneOf, Uuid } from './formats.ts'

/** Body of `POST /api/{business_id}/customer/{customer_id}/sale`. */
export const SavedCardSale = Type.Object(
  {
    amount: Amount(0.01),
    cardId: Uuid(),
    /** The currency of the business; may be omitted. */
    currency: Type.Optional(Currency()),
    /** IP address of the customer, if the sale was requested over the web. */
    ip_address: Type.Optional(IpAddress()),
    user_agent: Type.Optional(Line(2048, 0)),
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

/** A saved-card sale in its events. */
export const Sale = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The `recordID` of the response.' }),
    status: Type.Unsafe<'Approved' | 'Declined' | 'Failed'>({
      ...OneOf(['Approved', 'Declined', 'Failed']),
      description: '`Failed`: its outcome was not known when it was responded to, and it charged nothing in the end.',
    }),
    amount: Type.Number({ description: 'In major units.' }),
    currency: Currency(),
    customer_id: Nullable(Uuid()),
    card_id: Nullable(Uuid()),
    code: Nullable(Type.String({ description: 'The result code: `AA` is approved.' })),
    message: Type.String(),
    receipt_id: Nullable(Type.String()),
  },
  { title: 'Sale' },
)
