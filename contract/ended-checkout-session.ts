import Type from 'typebox'
import { CheckoutSessionDetails, Transaction } from './checkout-session-responses.ts'
import { Nullable } from './formats.ts'

const { token: _token, checkout_url: _url, ...DETAILS } = CheckoutSessionDetails.properties

const MaskedTransaction = Type.Object(
  { ...Transaction.properties, card: Type.String({ description: 'Its last four digits: `************4242`.' }) },
  { title: 'MaskedTransaction' },
)

/** A session in its events: its details, without the token and URL that open it (EVT-2, EVT-4). */
export const EndedCheckoutSession = Type.Object(
  { ...DETAILS, transaction: Nullable(MaskedTransaction) },
  {
    title: 'EndedCheckoutSession',
    description: 'Amounts in major units. A session has one event: the one that ends it.',
  },
)
