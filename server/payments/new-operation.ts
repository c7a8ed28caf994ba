import type { Terminal } from '../businesses/terminal.ts'
import { addSeconds } from '../lib/clock.ts'
import { newId, randomBase32 } from '../lib/ids.ts'
import type { Cents } from '../lib/money.ts'
import type { ChargeOwnerKind, GatewayTimings, Operation, ReversalKind } from './operation.ts'
import type { NewOperation } from './operation-queries.ts'

/** Short enough for every gateway's reference field (25 characters), long enough never to repeat: 90 random bits. */
const REFERENCE_CHARACTERS = 18

/**
 * The gateway's name of one operation: `<business>-<random>`. Fresh for every operation, so that a reference that failed stays
 * failed (PAY-2).
 */
function newMerchantRef(businessId: string): string {
  return `${businessId.slice(-6).toUpperCase()}-${randomBase32(REFERENCE_CHARACTERS)}`
}

/** When the parts of an operation that starts now are over. */
function timesFrom(now: Date, timings: GatewayTimings) {
  return {
    sentAt: now,
    deadlineAt: addSeconds(now, timings.responseMs / 1000),
    nextInquiryAt: null,
  }
}

/** A sale, as it is written down and as it is once it has been. */
export type NewSale = NewOperation & Operation

export function newSale(
  {
    terminal,
    owner,
    ...sale
  }: Pick<NewOperation, 'businessId' | 'amount' | 'card' | 'storedCard' | 'payerIpPrefix'> & {
    terminal: Terminal
    /** A sale without an id of its owner is its own owner. */
    owner: { kind: ChargeOwnerKind; id?: string }
  },
  now: Date,
  timings: GatewayTimings,
): NewSale {
  const id = newId()
  return {
    ...sale,
    id,
    kind: 'sale',
    state: 'SENT',
    owner: { id, ...owner },
    merchantRef: newMerchantRef(sale.businessId),
    terminalId: terminal.id,
    gateway: terminal.gateway,
    merchantCode: terminal.merchantCode,
    parentId: null,
    currency: terminal.currency,
    gatewayRef: null,
    epoch: 1,
    inquiries: 0,
    notFoundSince: null,
    ...timesFrom(now, timings),
  }
}

/** The operation that reverses a sale. Where the gateway said that nothing of it was approved, all of it is meant. */
export function newReversal(
  sale: Operation,
  kind: ReversalKind,
  amount: Cents,
  now: Date,
  timings: GatewayTimings,
): NewOperation {
  return {
    businessId: sale.businessId,
    id: newId(),
    kind,
    merchantRef: newMerchantRef(sale.businessId),
    terminalId: sale.terminalId,
    owner: sale.owner,
    parentId: sale.id,
    amount: amount > 0 ? amount : sale.amount,
    currency: sale.currency,
    card: null,
    storedCard: null,
    ...timesFrom(now, timings),
  }
}
