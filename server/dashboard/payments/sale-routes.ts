import type { Static } from 'typebox'
import { type DashboardSale, DashboardSaleBody, SalePreviewBody } from '../../../contract/dashboard/payments-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findCardToCharge } from '../../customers/open-stored-card.ts'
import type { Route } from '../../http/route.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { chargeStoredCard } from '../../payments/stored-card-sale/charge-stored-card.ts'
import { knownSale, readKey, type SaleOutcome, saleResponse } from '../../payments/stored-card-sale/sale-request.ts'
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
        return { status: 201, body: shownSale(await chargeStoredCard(services, order), key) }
      },
      async recover({ member: { business }, body }, key) {
        const request = readKey(key, { customerId: body.customer, body: saleOf(body), now: clock.now() })
        const known = await knownSale(services, business.id, request)
        if (known === null) return null
        return { status: 201, body: known.outcome === 'in progress' ? pending(known, key) : shownSale(known, key) }
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

/** @param operation the sale, which is shown while its outcome is being resolved */
function shownSale(sale: SaleOutcome, operation: string): DashboardSale {
  if (sale.outcome === 'unknown') return pending(sale, operation)
  const response = saleResponse(sale)
  const { code, message, recordID: id } = response
  if (!response.ok) return { object: 'sale', status: 'failed', id, code, message, receipt_id: null }
  return { object: 'sale', status: 'succeeded', id, code, message, receipt_id: response.receiptID }
}

const pending = ({ message }: { message: string }, operation: string): DashboardSale => ({
  object: 'sale',
  status: 'pending',
  id: operation,
  code: null,
  message,
  receipt_id: null,
})
