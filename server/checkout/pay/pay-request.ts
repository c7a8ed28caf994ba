import Type, { type Static } from 'typebox'
import {
  Amount,
  Country,
  GooglePayToken,
  Line,
  Nullable,
  OneOf,
  Opaque,
  PostalCode,
  Uuid,
} from '../../../contract/formats.ts'
import { validatorOf } from '../../http/schema-validator.ts'
import { CardData, StoredCardCode } from '../../vault/card.ts'

export const PostalAddress = Type.Object(
  {
    name: Type.Optional(Line(255)),
    line1: Type.Optional(Line(255)),
    line2: Type.Optional(Line(255, 0)),
    city: Type.Optional(Line(100)),
    state: Type.Optional(Line(100)),
    postal_code: Type.Optional(PostalCode()),
    country: Type.Optional(Country()),
  },
  { title: 'PostalAddress' },
)
export type PostalAddress = Static<typeof PostalAddress>

/**
 * The body of `POST /api/checkout/{token}/pay`. Not in `contract/`, because it contains the vault's schema of card
 * data.
 *
 * @see CHK-40, CHK-43
 */
export const PayRequest = Type.Object(
  {
    payment_method_type: OneOf(['new_card', 'saved_card', 'google_pay']),
    amount: Amount(),
    customerId: Type.Optional(Uuid()),
    cardData: Type.Optional(CardData),
    cardId: Type.Optional(Uuid()),
    ...StoredCardCode,
    googlePayToken: Type.Optional(GooglePayToken()),
    consents: Type.Optional(
      Type.Object({ terms_of_service: Type.Optional(Type.Boolean()), promotions: Type.Optional(Type.Boolean()) }),
    ),
    billing_address: Type.Optional(PostalAddress),
    shipping_address: Type.Optional(PostalAddress),
    /** `null`, as in the response of `ddd/init`, if no authentication is required. */
    three_ds_id: Type.Optional(Nullable(Opaque(100))),
  },
  { title: 'PayRequest' },
)
export type PayRequest = Static<typeof PayRequest>

/** @throws ApiError `validation_failed` */
export const checkPayRequest = validatorOf<PayRequest>(PayRequest)
