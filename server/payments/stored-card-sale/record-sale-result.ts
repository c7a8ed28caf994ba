import type { SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { newEvent } from '../../events/event.ts'
import type { ApprovedResult, GatewayResult } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'
import type { Card } from '../../vault/card.ts'
import { alreadyDecided, approvalOf, type Declined, declineOf, recordResult } from '../charge/record-result.ts'
import type { SaleServices } from '../charge/send-sale.ts'
import { newReversal } from '../new-operation.ts'
import type { Operation } from '../operation.ts'
import { newPayment, type Payment } from '../payment.ts'
import { reversePartial } from '../recovery/reverse-sale.ts'
import { saleFailed } from './failed-sale.ts'
import { recordDeclinedSale, recordSale } from './sale-queries.ts'
import { saleView } from './sale-view.ts'

/** A sale that has been written down, and what is needed to write its response. */
export interface StoredCardSale {
  operation: Operation
  card: Card
  business: Business
  customerId: string
  /** Under which its response is kept. */
  key: string | null
}

/** Step 3 of a saved-card sale: the gateway's response, written down and told. Every try to write it tells of the same payment. */
export function recordSaleResult(
  services: SaleServices,
  sale: StoredCardSale,
  result: GatewayResult,
): Promise<SavedCardSaleResponse> {
  const createdAt = businessNow(services.clock, sale.business)
  const { operation, card, customerId } = sale
  const paid = { card, customerId, surchargeAmount: 0 as Cents, createdAt }
  let payment: Payment | undefined
  return recordResult<SavedCardSaleResponse>(services, operation, result, {
    approve(approved) {
      payment ??= newPayment(operation, approved, paid)
      return approve(services, sale, approved, payment)
    },
    decline: (declined) => decline(services, sale, declined, createdAt),
  })
}

async function approve(
  services: SaleServices,
  { operation, key }: StoredCardSale,
  result: ApprovedResult,
  payment: Payment,
): Promise<SavedCardSaleResponse> {
  const { id, businessId, code, message, receiptId, createdAt } = payment
  const response = { ok: true, status: 'Approved', code, message, receiptID: receiptId, recordID: id } as const
  const object = saleView(operation, { id, status: 'Approved', code, message, receiptId })
  const event = newEvent({ businessId, type: 'sale.succeeded', objectId: id, data: { object }, createdAt })
  const outcome = approvalOf(operation, result, services.clock.now())
  const written = await recordSale(services.db, { outcome, key, response, event }, payment)
  if (!written) return alreadyDecided(services, operation, 'approved', () => response)
  services.faults.reach('after:result_commit')
  services.count('approved')
  return response
}

async function decline(
  services: SaleServices,
  { operation, key }: StoredCardSale,
  result: Declined,
  createdAt: Date,
): Promise<SavedCardSaleResponse> {
  const { db, clock, timings } = services
  const now = clock.now()
  const { code } = result
  const message = result.message || 'The card was declined'
  const response = { ok: false, status: 'Declined', code, message, recordID: operation.id } as const
  const event = saleFailed(operation, { status: 'Declined', code, message }, createdAt)
  const outcome = declineOf(operation, result, now)
  const reversal =
    result.outcome === 'partial' ? newReversal(operation, 'void', result.approvedAmount, now, timings) : null
  const written = await recordDeclinedSale(db, { outcome, key, response, event }, reversal)
  if (!written) return alreadyDecided(services, operation, outcome.trigger, () => response)
  services.faults.reach('after:result_commit')
  services.count('declined')
  if (result.outcome === 'partial') await reversePartial(services, { ...operation, gatewayRef: result.gatewayRef })
  return response
}
