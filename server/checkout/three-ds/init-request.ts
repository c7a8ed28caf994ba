import Type, { type Static } from 'typebox'
import { Amount, OneOf, Opaque, Uuid } from '../../../contract/formats.ts'
import { StoredCardCode, UncodedCardData } from '../../vault/card.ts'
import { PostalAddress } from '../pay/pay-request.ts'

/**
 * The body of `POST /api/{business_id}/ddd/init`. Not in `contract/`, because it contains the vault's schema of card
 * data. The addresses determine whether a surcharge applies, as in `pay`.
 *
 * @see TDS-2
 */
export const DddInitRequest = Type.Object(
  {
    session_token: Opaque(100),
    payment_method_type: OneOf(['new_card', 'saved_card', 'google_pay']),
    amount: Amount(),
    cardData: Type.Optional(UncodedCardData),
    cardId: Type.Optional(Uuid()),
    /** Refused by the handler. If the schema lacked this member, it would be dropped silently instead. */
    ...StoredCardCode,
    googlePayToken: Type.Optional(Opaque(10_000, 0)),
    billing_address: Type.Optional(PostalAddress),
    shipping_address: Type.Optional(PostalAddress),
  },
  { title: 'DddInitRequest' },
)
export type DddInitRequest = Static<typeof DddInitRequest>
