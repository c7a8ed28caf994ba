import { businessNow } from '../../businesses/business.ts'
import { openStoredCard } from '../../customers/open-stored-card.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Card } from '../../vault/card.ts'
import { beforeIntent } from '../charge/around-intent.ts'
import { charge } from '../charge/charge.ts'
import type { ChargeServices } from '../services.ts'
import { IN_PROGRESS, knownSale, readKey, type SaleOutcome } from './sale-request.ts'
import { type SaleOrder, storedCardCharge } from './stored-card-charge.ts'

/**
 * Charges a stored card without the customer being present. An approval that recovery finds is reversed, because the
 * merchant got "not confirmed".
 *
 * @throws ApiError `validation_failed`, `not_found`
 * @see PAY-21, PAY-26 to PAY-28
 */
export async function chargeStoredCard(services: ChargeServices, order: SaleOrder): Promise<SaleOutcome> {
  const { business, customerId, body } = order
  requireCurrency(order)
  const request = readKey(order.idempotencyKey, { customerId, body, now: services.clock.now() })
  const known = () => knownSale(services, business.id, request, { isRepeatable: order.id === undefined })
  const earlier = await known()
  if (earlier) return earlier
  const plan = await beforeIntent(services, async () =>
    storedCardCharge(services, order, await openCard(services, order), request),
  )
  const charged = await charge(services, plan)
  if (charged.outcome !== 'blocked') return charged
  // A concurrent request used the same key, began an identical sale, or detached or blocked the card.
  const concurrent = await known()
  if (concurrent) return concurrent
  await openCard(services, order)
  return IN_PROGRESS
}

/** Refuses a currency other than the business's: the charge would not be the amount that the caller means. */
function requireCurrency({ business, body }: SaleOrder): void {
  if (body.currency !== undefined && body.currency !== business.currency)
    throw invalidField('currency', `is in ${body.currency}, and the business charges ${business.currency}`)
}

function openCard(services: ChargeServices, { business, customerId, body }: SaleOrder): Promise<Card> {
  if (!isUuid(customerId)) throw new ApiError('not_found', { message: 'No such customer' })
  const now = businessNow(services.clock, business)
  const which = { businessId: business.id, customerId, cardId: body.cardId, now }
  return openStoredCard(services, which, { isPayerPresent: false })
}
