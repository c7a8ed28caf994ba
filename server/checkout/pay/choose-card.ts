import { openStoredCard } from '../../customers/open-stored-card.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import type { BinTable } from '../../vault/bin-table.ts'
import type { Card } from '../../vault/card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { cardOwnerOf } from '../sessions/session-customer.ts'
import type { PayRequest } from './pay-request.ts'
import type { SessionServices } from './pay-services.ts'
import { openWalletToken } from './wallet-token.ts'

/** The fields by which a request names its card. */
export interface ChosenCard<Typed> extends Pick<PayRequest, 'payment_method_type' | 'cardId' | 'googlePayToken'> {
  cardData?: Typed
}

type ReadTyped<Typed> = (typed: Typed, rules: { now: Date; nameRequired: boolean; bins: BinTable }) => Card

/**
 * Returns the card of a request to pay or to authenticate: a typed card, a stored card of the customer to whom the
 * merchant bound the session, or the card of a wallet.
 *
 * @throws ApiError `validation_failed`, `not_found`, `google_pay_unavailable`
 */
export async function chooseCard<Typed>(
  services: SessionServices,
  loaded: LoadedSession,
  body: ChosenCard<Typed>,
  readTyped: ReadTyped<Typed>,
): Promise<Card> {
  const { session, now } = loaded
  if (session.mode === 'setup' && body.payment_method_type !== 'new_card')
    throw invalidField('payment_method_type', 'must be new_card: the session stores a card')
  switch (body.payment_method_type) {
    case 'new_card':
      if (!body.cardData) throw invalidField('cardData', 'is required for new_card')
      return readTyped(body.cardData, { now, nameRequired: session.uiMode !== 'rapid', bins: services.bins })
    case 'saved_card': {
      if (!body.cardId) throw invalidField('cardId', 'is required for saved_card')
      const { businessId } = session
      const customerId = cardOwnerOf(session)
      if (customerId === null) {
        // A typed e-mail address proves nothing, so it gives no access to the customer's cards.
        throw new ApiError('not_found', {
          message: 'No such card',
          errors: { cardId: ['is not available in this session'] },
        })
      }
      return openStoredCard(services, { businessId, customerId, cardId: body.cardId, now }, { isPayerPresent: true })
    }
    case 'google_pay':
      return openWalletToken(services, loaded, body.googlePayToken)
  }
}
