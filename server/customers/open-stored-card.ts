import type { Db } from '../db/connection.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { type Card, isPast } from '../vault/card.ts'
import { isCardBrand } from '../vault/card-brands.ts'
import type { Vault } from '../vault/vault.ts'
import { findStoredCard } from './stored-card-queries.ts'

/**
 * A stored card, opened to be charged once.
 *
 * @param now in the business's time
 * @throws ApiError `not_found` (also another customer's card, and a detached one), `validation_failed` when it has expired
 */
export async function openStoredCard(
  { db, vault }: { db: Db; vault: Vault },
  { businessId, customerId, cardId, now }: { businessId: string; customerId: string; cardId: string; now: Date },
): Promise<Card> {
  const found = await findStoredCard(db, { businessId, customerId, id: cardId })
  if (!found || !isCardBrand(found.brand)) {
    throw new ApiError('not_found', { message: 'No such card', errors: { cardId: ['is not a card of this customer'] } })
  }
  if (isPast({ month: found.expMonth, year: found.expYear }, now))
    throw invalidField('cardId', 'is a card that has expired')
  const { brand, funding, first6, last4, expMonth, expYear, nameOnCard, place, networkTransactionId } = found
  return {
    number: await vault.open(businessId, cardId),
    cvv: null,
    brand,
    funding,
    first6,
    last4,
    expMonth,
    expYear,
    nameOnCard,
    place,
    line1: null,
    save: false,
    stored: { id: cardId, networkTransactionId },
  }
}
