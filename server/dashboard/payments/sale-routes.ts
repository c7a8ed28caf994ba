import type { Static } from 'typebox'
import { type DashboardSale, DashboardSaleBody, SalePreviewBody } from '../../../contract/dashboard/payments-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findCardToCharge } from '../../customers/open-stored-card.ts'
import type { Route } from '../../http/route.ts'
import { ApiError, type ErrorCode } from '../../lib/errors.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { chargeStoredCard } from '../../payments/stored-card-sale/charge-stored-card.ts'
import { knownResponse, readKey } from '../../payments/stored-card-sale/sale-request.ts'
import { associationOf } from '../../vault/card-brands.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { previewHash, requirePreview } from '../preview-hash.ts'
import { shownCurrency } from './payment-row.ts'

/** Returns the routes that make a new sale on a stored card: preview and commit. */
export function saleRoutes(dashboard: DashboardRoutes, services: ChargeServices): Route[] {
  const { clock } = dashboard
  return [
    dashboard.preview('POST /sales/preview', {
      permission: 'payments.sell',
      body: SalePreviewBody,
      handle: async ({ member: { business }, body }) => ({ body: await previewSale(services, business, body) }),
    }),
    dashboard.once('POST /sales', {
      permission: 'payments.sell',
      action: 'sale.create',
      body: DashboardSaleBody,
      asks: ({ body }, operation) => ({
        object: { type: 'customer', id: body.customer },
        after: { operation, ...asked(body) },
      }),
      async handle({ member: { business }, body }, key) {
        if (body.preview_hash) requirePreview(body.preview_hash, await previewSale(services, business, body))
        const order = { business, customerId: body.customer, body: saleOf(body), idempotencyKey: key, id: key }
        return { status: 201, body: await outcomeOf(chargeStoredCard(services, order), key, ['gateway_timeout']) }
      },
      async recover({ member: { business }, body }, key) {
        const request = readKey(key, { customerId: body.customer, body: saleOf(body), now: clock.now() })
        const known = knownResponse(services, business.id, request)
        const outcome = await outcomeOf(known, key, ['gateway_timeout', 'payment_in_progress'])
        return outcome && { status: 201, body: outcome }
      },
    }),
  ]
}

type Order = Static<typeof SalePreviewBody>

/** @throws ApiError what `findCardToCharge` throws */
async function previewSale({ db, clock }: ChargeServices, business: Business, order: Order) {
  const which = {
    ...{ businessId: business.id, customerId: order.customer, cardId: order.payment_method },
    now: businessNow(clock, business),
  }
  const { brand, last4 } = await findCardToCharge(db, which, { isPayerPresent: false })
  const figures = {
    object: 'sale_preview' as const,
    currency: shownCurrency(business.currency),
    ...{ amount: order.amount, tax_amount: 0, surcharge_amount: 0, total_amount: order.amount },
    card: { brand: associationOf(brand), last4 },
  }
  return { ...figures, preview_hash: previewHash([figures, order.customer, order.payment_method]) }
}

const asked = ({ preview_hash: _hash, ...order }: Static<typeof DashboardSaleBody>) => order

const saleOf = ({ amount, payment_method: cardId }: Static<typeof DashboardSaleBody>) => ({
  amount: decimalFromCents(amount as Cents),
  cardId,
})

type Charged = Awaited<ReturnType<typeof knownResponse>>

/**
 * Returns the outcome of a sale.
 *
 * @param operation the sale, which is shown while it has no outcome
 * @param unknown refusals that mean that the outcome is being resolved; if the sale turns out approved, it is given
 * back
 */
async function outcomeOf<Response extends Charged>(
  charged: Promise<Response>,
  operation: string,
  unknown: readonly ErrorCode[],
): Promise<DashboardSale | (Response extends null ? null : never)> {
  try {
    const response = await charged
    if (response === null) return null as Response extends null ? null : never
    const { code, message, recordID: id } = response
    if (!response.ok) return { object: 'sale', status: 'failed', id, code, message, receipt_id: null }
    return { object: 'sale', status: 'succeeded', id, code, message, receipt_id: response.receiptID }
  } catch (error) {
    const isUnknown = error instanceof ApiError && unknown.includes(error.code) && error.detail.extra?.charged !== false
    if (!isUnknown) throw error
    return { object: 'sale', status: 'pending', id: operation, code: null, message: error.message, receipt_id: null }
  }
}
