import type { SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { businessNow } from '../../businesses/business.ts'
import { openStoredCard } from '../../customers/open-stored-card.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Card } from '../../vault/card.ts'
import { beforeIntent } from '../charge/around-intent.ts'
import { charge } from '../charge/charge.ts'
import type { ChargeServices } from '../services.ts'
import { knownResponse, readKey, saleInProgress } from './sale-request.ts'
import { type SaleOrder, storedCardCharge } from './stored-card-charge.ts'

/**
 * Charges a stored card without the customer being present. An approval that recovery finds is reversed, because the
 * merchant got "not confirmed".
 *
 * @throws ApiError `validation_failed`, `not_found`, `payment_in_progress`, `gateway_timeout`, `gateway_unavailable`
 * @see PAY-21, PAY-26 to PAY-28
 */
export async function chargeStoredCard(services: ChargeServices, order: SaleOrder): Promise<SavedCardSaleResponse> {
  const { business, customerId, body } = order
  requireCurrency(order)
  const request = readKey(order.idempotencyKey, { customerId, body, now: services.clock.now() })
  const known = () => knownResponse(services, business.id, request, { isRepeatable: order.id === undefined })
  const response = await known()
  if (response) return response
  const plan = await beforeIntent(services, async () =>
    storedCardCharge(services, order, await openCard(services, order), request),
  )
  return charge(services, {
    ...plan,
    // A concurrent request used the same key, began an identical sale, or detached or blocked the card.
    async blocked() {
      const given = await known()
      if (given) return given
      await openCard(services, order)
      throw saleInProgress()
    },
  })
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
