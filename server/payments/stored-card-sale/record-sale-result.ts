import type { SavedCardSaleAnswer } from '../../../contract/saved-card-sale.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { newEvent } from '../../events/event.ts'
import type { ApprovedResult, GatewayResult } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'
import type { Card } from '../../vault/card.ts'
import { alreadyDecided, approvalOf, type Declined, declineOf, writeAnswer } from '../charge/record-result.ts'
import type { SaleServices } from '../charge/send-sale.ts'
import { newUndo } from '../new-operation.ts'
import type { Operation } from '../operation.ts'
import { newPayment, type Payment } from '../payment.ts'
import { undoPart } from '../recovery/reverse-sale.ts'
import { saleFailed } from './failed-sale.ts'
import { recordDeclinedSale, recordSale } from './sale-queries.ts'
import { saleView } from './sale-view.ts'

/** A sale that has been written down, and what is needed to write its answer. */
export interface StoredCardSale {
  operation: Operation
  card: Card
  business: Business
  customerId: string
  /** Under which its answer is kept. */
  key: string | null
}

/** Step 3 of a saved-card sale: the gateway's answer, written down and told. Every try to write it tells of the same payment. */
export function writeSaleAnswer(
  services: SaleServices,
  sale: StoredCardSale,
  result: GatewayResult,
): Promise<SavedCardSaleAnswer> {
  const createdAt = businessNow(services.clock, sale.business)
  const { operation, card, customerId } = sale
  const paid = { card, customerId, surchargeAmount: 0 as Cents, createdAt }
  let payment: Payment | undefined
  return writeAnswer<SavedCardSaleAnswer>(services, operation, result, {
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
): Promise<SavedCardSaleAnswer> {
  const { id, businessId, code, message, receiptId, createdAt } = payment
  const answer = { ok: true, status: 'Approved', code, message, receiptID: receiptId, recordID: id } as const
  const object = saleView(operation, { id, status: 'Approved', code, message, receiptId })
  const event = newEvent({ businessId, type: 'sale.succeeded', objectId: id, data: { object }, createdAt })
  const outcome = approvalOf(operation, result, services.clock.now())
  const written = await recordSale(services.db, { outcome, key, answer, event }, payment)
  if (!written) return alreadyDecided(services, operation, 'approved', () => answer)
  services.faults.reach('after:result_commit')
  services.count('approved')
  return answer
}

async function decline(
  services: SaleServices,
  { operation, key }: StoredCardSale,
  result: Declined,
  createdAt: Date,
): Promise<SavedCardSaleAnswer> {
  const { db, clock, timings } = services
  const now = clock.now()
  const { code } = result
  const message = result.message || 'The card was declined'
  const answer = { ok: false, status: 'Declined', code, message, recordID: operation.id } as const
  const event = saleFailed(operation, { status: 'Declined', code, message }, createdAt)
  const outcome = declineOf(operation, result, now)
  const undo = result.outcome === 'partial' ? newUndo(operation, 'void', result.approvedAmount, now, timings) : null
  const written = await recordDeclinedSale(db, { outcome, key, answer, event }, undo)
  if (!written) return alreadyDecided(services, operation, outcome.trigger, () => answer)
  services.faults.reach('after:result_commit')
  services.count('declined')
  if (result.outcome === 'partial') await undoPart(services, { ...operation, gatewayRef: result.gatewayRef })
  return answer
}
