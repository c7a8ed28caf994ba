import { findBilledCards } from '../../customers/billed-card-queries.ts'
import { openFoundCard } from '../../customers/open-stored-card.ts'
import { ApiError } from '../../lib/errors.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { Card } from '../../vault/card.ts'
import type { Subscription } from '../subscription.ts'

/**
 * Opens the card that a resume charges. As for a bill, a card past its expiry date is sent unchanged.
 *
 * @throws ApiError `card_declined` if the card is detached, or must not be charged without the payer (BIL-20, BIL-22)
 */
export async function openResumeCard(
  { db, vault }: Pick<ChargeServices, 'db' | 'vault'>,
  { businessId, storedCardId: id }: Subscription,
): Promise<Card> {
  const card = id === null ? undefined : (await findBilledCards(db, [{ businessId, id }])).get(id)
  if (!card || card.detachedAt !== null) throw notCharged('The payment method is detached', null)
  if (card.chargeBlock !== null)
    throw notCharged('The card must not be charged again without its holder', card.chargeBlock)
  return openFoundCard({ vault }, businessId, card)
}

function notCharged(reason: string, code: string | null): ApiError {
  return new ApiError('card_declined', {
    message: `${reason}. Nothing was charged, and the subscription stays paused.`,
    errors: { payment_method: ['cannot be charged'] },
    extra: { ...(code !== null && { decline_code: code }) },
  })
}
