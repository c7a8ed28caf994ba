import type { SavedCardSale, SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findTerminal } from '../../businesses/terminal-queries.ts'
import { newEvent } from '../../events/event.ts'
import type { ApprovedResult, StoredCredential } from '../../gateway/gateway.ts'
import { type Cents, centsFromDecimal } from '../../lib/money.ts'
import type { Card } from '../../vault/card.ts'
import { approvedPayment } from '../approved-payment.ts'
import type { ChargePlan, Declined, Recording } from '../charge/charge-plan.ts'
import { approvalOf, declineOf } from '../charge/record-result.ts'
import { chargeBlockOf } from '../charge-block.ts'
import { type NewSale, newSale } from '../new-operation.ts'
import type { ChargeServices } from '../services.ts'
import { beginStoredCardSale, type KeyedRequest, recordDeclinedSale, recordSale } from './sale-queries.ts'
import { saleView } from './sale-view.ts'
import { saleFailed } from './stored-card-sale-owner.ts'

/** The request of a saved-card sale. */
export interface SaleOrder {
  business: Business
  customerId: string
  body: SavedCardSale
  idempotencyKey: string | null
  /** Id of the operation, if something was already recorded under it: it is sent only once. Absent for a new id. */
  id?: string
}

interface StoredCardSale {
  operation: NewSale
  card: Card
  business: Business
  customerId: string
  cardId: string
  /** The hash of the Idempotency-Key under which the response is stored. */
  key: string | null
}

type StoredCardChargePlan = ChargePlan<string, SavedCardSaleResponse>

/** Returns the plan for charging a stored card, and how each step is recorded. */
export async function storedCardCharge(
  services: ChargeServices,
  { business, customerId, body, id }: SaleOrder,
  card: Card,
  request: KeyedRequest | null,
): Promise<StoredCardChargePlan> {
  const { db, clock, timings, vault } = services
  const terminal = await findTerminal(db, business.id, business.currency)
  const amount = centsFromDecimal(body.amount)
  if (!terminal || amount === null) throw new Error('the business has no terminal, or the amount is invalid')
  const operation = newSale(
    {
      businessId: business.id,
      ...(id !== undefined && { id }),
      owner: { kind: 'stored_card_sale' },
      terminal,
      amount,
      card: { ...card, fingerprint: vault.fingerprint(business.id, card.number).value },
      storedCard: { id: body.cardId, customerId },
    },
    clock.now(),
    timings,
  )
  const { cardId } = body
  const sale: StoredCardSale = { operation, card, business, customerId, cardId, key: request?.key ?? null }
  return {
    operation,
    card,
    request: {
      customer: { ...(body.ip_address && { ip: body.ip_address }), ...(card.nameOnCard && { name: card.nameOnCard }) },
      storedCredential: storedCredentialOf(card),
    },
    begin: () => beginStoredCardSale(db, operation, request),
    approve: (result) => approval(services, sale, result),
    decline: (result) => decline(services, sale, result),
  }
}

function approval(
  { db, clock }: ChargeServices,
  { operation, card, business, customerId, key }: StoredCardSale,
  result: ApprovedResult,
): Recording<SavedCardSaleResponse> {
  const createdAt = businessNow(clock, business)
  const payment = approvedPayment(operation, result, { card, customerId, surchargeAmount: 0 as Cents, createdAt })
  const { id, businessId, code, message, receiptId } = payment
  const response = { ok: true, status: 'Approved', code, message, receiptID: receiptId, recordID: id } as const
  const object = saleView(operation, { id, status: 'Approved', code, message, receiptId })
  const event = newEvent({ businessId, type: 'sale.succeeded', objectId: id, data: { object }, createdAt })
  const outcome = approvalOf(operation, result, clock.now())
  return {
    trigger: outcome.trigger,
    write: () => recordSale(db, { outcome, key, response, event }, payment),
    response,
  }
}

function decline(
  services: ChargeServices,
  { operation, business, cardId, key }: StoredCardSale,
  result: Declined,
): Recording<SavedCardSaleResponse> {
  const { db, clock } = services
  const { code } = result
  const message = result.message || 'The card was declined'
  const response = { ok: false, status: 'Declined', code, message, recordID: operation.id } as const
  const event = saleFailed(operation, { status: 'Declined', code, message }, businessNow(clock, business))
  const { outcome, reversal } = declineOf(operation, result, clock.now(), services)
  return {
    trigger: outcome.trigger,
    write: () =>
      recordDeclinedSale(
        db,
        { outcome, key, response, event },
        { voided: reversal, storedCardId: cardId, chargeBlock: chargeBlockOf(result) },
      ),
    response,
  }
}

/**
 * Marks the charge as unscheduled and merchant-initiated. The network id of the first payment links it to the
 * cardholder's consent.
 */
function storedCredentialOf({ stored }: Card): StoredCredential {
  const { networkTransactionId, dsTransactionId } = stored ?? {}
  return {
    initiator: 'merchant',
    reason: 'unscheduled',
    initial: false,
    ...(networkTransactionId && { networkTransactionId }),
    ...(dsTransactionId && { dsTransactionId }),
  }
}
