import type { Db } from '../db/connection.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { type Card, isPast } from '../vault/card.ts'
import { isCardBrand } from '../vault/card-brands.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChargeableCard } from './stored-card.ts'
import { findStoredCard } from './stored-card-queries.ts'

interface WhichCard {
  businessId: string
  customerId: string
  cardId: string
  /** Current time of the business. */
  now: Date
}

/**
 * Finds a stored card that may be charged.
 *
 * @throws ApiError `not_found`, even if the card is detached or belongs to another customer; `validation_failed` if the
 *   card has expired, or is blocked for charges without the payer (GTW-20)
 */
export async function findCardToCharge(
  db: Db,
  { businessId, customerId, cardId, now }: WhichCard,
  { isPayerPresent }: { isPayerPresent: boolean },
): Promise<ChargeableCard> {
  const found = await findStoredCard(db, { businessId, customerId, id: cardId })
  if (!found) throw noSuchCard()
  const { chargeBlock } = found
  if (chargeBlock !== null && !isPayerPresent)
    throw invalidField('cardId', `must not be charged again: the issuer declined it with ${chargeBlock}`)
  if (isPast({ month: found.expMonth, year: found.expYear }, now)) throw invalidField('cardId', 'has expired')
  return found
}

/** Opens a stored card for one charge. @throws ApiError any that `findCardToCharge` throws */
export async function openStoredCard(
  { db, vault }: { db: Db; vault: Vault },
  which: WhichCard,
  presence: { isPayerPresent: boolean },
): Promise<Card> {
  return openFoundCard({ vault }, which.businessId, await findCardToCharge(db, which, presence))
}

const noSuchCard = () =>
  new ApiError('not_found', { message: 'No such card', errors: { cardId: ['does not exist for this customer'] } })

/** Opens a stored card that was already found and checked. */
export async function openFoundCard(
  { vault }: { vault: Vault },
  businessId: string,
  {
    id,
    brand,
    funding,
    first6,
    last4,
    expMonth,
    expYear,
    nameOnCard,
    place,
    networkTransactionId,
    dsTransactionId,
    sealed,
  }: ChargeableCard,
): Promise<Card> {
  if (!isCardBrand(brand)) throw new Error(`a stored card has the unknown brand "${brand}"`)
  return {
    number: await vault.open(businessId, id, sealed),
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
    stored: { id, networkTransactionId, dsTransactionId },
    wallet: null,
  }
}
