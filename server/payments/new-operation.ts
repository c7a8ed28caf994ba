import type { Terminal } from '../businesses/terminal.ts'
import { addSeconds } from '../lib/clock.ts'
import { newId, randomBase32 } from '../lib/ids.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type {
  ChargeOwnerKind,
  GatewayTimings,
  Operation,
  OperationKind,
  RequestedKind,
  ReversalKind,
} from './operation.ts'

export interface NewOperation {
  businessId: string
  id: string
  kind: OperationKind
  merchantRef: string
  terminalId: string
  owner: Operation['owner']
  parentId: string | null
  amount: Cents
  currency: Currency
  card: { brand: string; first6: string; last4: string; fingerprint: Buffer } | null
  storedCard: Operation['storedCard']
  /** IP prefix of the payer, in the form that rate limits count; only for a session payment. */
  payerIpPrefix?: string
  sentAt: Date
  deadlineAt: Date
  /** Set for an operation that is not sent now: recovery takes it up at that time. */
  nextInquiryAt: Date | null
}

/** 90 random bits: never repeated, and short enough for the reference field of every gateway (25 characters). */
const REFERENCE_CHARACTERS = 18

/**
 * Returns a new reference of an operation at the gateway: `<business>-<random>`. Every operation has its own, so a
 * reference that failed is never reused.
 *
 * @see PAY-2
 */
export function newMerchantRef(businessId: string): string {
  return `${businessId.slice(-6).toUpperCase()}-${randomBase32(REFERENCE_CHARACTERS)}`
}

/** Returns the times of an operation that starts now. */
function timesFrom(now: Date, timings: GatewayTimings) {
  return {
    sentAt: now,
    deadlineAt: addSeconds(now, timings.responseMs / 1000),
    nextInquiryAt: null,
  }
}

/** The fields of an operation without a card on file that has just been inserted. */
export const JUST_INSERTED = {
  state: 'SENT',
  storedCard: null,
  gatewayRef: null,
  epoch: 1,
  inquiries: 0,
  notFoundSince: null,
} as const

/** A new sale with the fields of its inserted row. */
export type NewSale = NewOperation & Operation

export function newSale(
  {
    terminal,
    owner,
    ...sale
  }: Pick<NewOperation, 'businessId' | 'amount' | 'card' | 'storedCard' | 'payerIpPrefix'> & {
    terminal: Terminal
    /** Without an id, the sale is its own owner. */
    owner: { kind: ChargeOwnerKind; id?: string }
    /** Id of the operation, if something was already recorded under it; absent for a new id. */
    id?: string
  },
  now: Date,
  timings: GatewayTimings,
): NewSale {
  const { id = newId() } = sale
  return {
    ...JUST_INSERTED,
    ...sale,
    id,
    kind: 'sale',
    owner: { id, ...owner },
    merchantRef: newMerchantRef(sale.businessId),
    terminalId: terminal.id,
    gateway: terminal.gateway,
    merchantCode: terminal.merchantCode,
    parentId: null,
    currency: terminal.currency,
    ...timesFrom(now, timings),
  }
}

/** Returns the operation that voids or refunds a sale. An amount of 0 means the whole sale. */
export function newReversal(
  sale: Operation,
  kind: ReversalKind | RequestedKind,
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
