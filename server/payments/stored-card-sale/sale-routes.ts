import { SavedCardSale } from '../../../contract/saved-card-sale.ts'
import type { BearerCaller } from '../../access/tokens/token.ts'
import { CHECKOUT_API } from '../../http/family.ts'
import { type Access, type Limit, type Route, route } from '../../http/route.ts'
import type { ChargeServices } from '../services.ts'
import { chargeStoredCard } from './charge-stored-card.ts'
import { SALE_DOCUMENT } from './sale-openapi.ts'
import { saleResponse } from './sale-request.ts'

export interface SaleRouteServices extends ChargeServices {
  bearer: Access<BearerCaller>
  /** 60 requests a minute per business, over all its paths (ACC-25). */
  limits: Limit<Pick<BearerCaller, 'business'>>[]
}

/** The route of saved-card sales. */
export function saleRoutes(services: SaleRouteServices): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/{business_id}/customer/{customer_id}/sale',
      scope: 'sell',
      family: CHECKOUT_API,
      access: services.bearer,
      limits: services.limits,
      body: SavedCardSale,
      document: SALE_DOCUMENT,
      async handle({ caller, params, body, idempotencyKey }) {
        const order = { business: caller.business, customerId: params.customer_id ?? '', body, idempotencyKey }
        return { body: saleResponse(await chargeStoredCard(services, order)) }
      },
    }),
  ]
}
