import { createHash } from 'node:crypto'
import type { SavedCardSale, SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { type Begun, responseOf, unknownOutcome } from '../charge/charged.ts'
import type { ChargeOwner } from '../charge-owner.ts'
import type { OperationState } from '../operation.ts'
import type { PaymentServices } from '../services.ts'
import { findSaleRequest, type KeyedRequest } from './sale-queries.ts'

const HEADER = 'Idempotency-Key'
/** A key is valid for a day (PAY-27). */
export const KEY_LIFETIME_SECONDS = 86_400
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/** How a sale ended, or where it stands. The messages are sentences for the caller. */
export type SaleOutcome =
  | Begun<SavedCardSaleResponse>
  | { outcome: 'in progress'; message: string }
  /** Its caller got no response. */
  | { outcome: 'not charged'; message: string }

/**
 * Returns the response of a sale with a result.
 *
 * @throws ApiError `payment_in_progress`, `gateway_timeout`, `gateway_unavailable`
 */
export function saleResponse(sale: SaleOutcome): SavedCardSaleResponse {
  switch (sale.outcome) {
    case 'in progress':
      throw new ApiError('payment_in_progress', { message: sale.message, extra: { charged: null } })
    case 'not charged':
      throw new ApiError('gateway_timeout', { message: sale.message, extra: { charged: false } })
    default:
      return responseOf(sale)
  }
}

/**
 * Reads the Idempotency-Key. Two requests are the same if they have the same key and body.
 *
 * @param key the header; `null` for a request without one, which never equals another request
 * @returns `null` without a key
 * @throws ApiError `validation_failed`
 */
export function readKey(
  key: string | null,
  { customerId, body, now }: { customerId: string; body: SavedCardSale; now: Date },
): KeyedRequest | null {
  if (key === null) return null
  if (!VISIBLE_ASCII.test(key)) throw invalidField(HEADER, 'must be 1 to 255 visible ASCII characters')
  const { amount, cardId, ip_address, user_agent } = body
  const text = JSON.stringify([customerId, cardId, amount, ip_address ?? null, user_agent ?? null])
  const bodyHash = createHash('sha256').update(text).digest()
  // A key may contain anything, even personal data, so only its hash is stored.
  const keyHash = createHash('sha256').update(key).digest('base64url')
  return { key: keyHash, bodyHash, at: now, forgottenBefore: addSeconds(now, -KEY_LIFETIME_SECONDS) }
}

/**
 * Returns the outcome of an earlier request with the same key.
 *
 * @param isRepeatable whether a sale that was provably not sent may be made again, under a new operation
 * @returns `null` when this is the first request, or when the first sale was provably not sent
 * @throws ApiError `validation_failed` for another body
 */
export async function knownSale(
  { db, owners }: Pick<PaymentServices, 'db' | 'owners'>,
  businessId: string,
  request: KeyedRequest | null,
  { isRepeatable = true }: { isRepeatable?: boolean } = {},
): Promise<SaleOutcome | null> {
  const known = request && (await findSaleRequest(db, businessId, request))
  if (!known) return null
  if (!known.bodyHash.equals(request.bodyHash)) {
    throw invalidField(HEADER, 'was used for another sale within the last 24 hours; a new sale needs a new key')
  }
  if (known.state === 'NOT_SENT' && !isRepeatable) return NOT_SENT
  return known.response
    ? { outcome: 'recorded', response: known.response }
    : withoutResponse(known.state, owners('stored_card_sale'))
}

function withoutResponse(state: OperationState, owner: ChargeOwner): SaleOutcome | null {
  switch (state) {
    case 'NOT_SENT':
      return null
    case 'SENT':
      return IN_PROGRESS
    case 'IN_DOUBT':
    case 'REVERSING':
      return unknownOutcome(owner)
    case 'DECLINED':
    case 'NOT_CHARGED':
    case 'REVERSED':
      return {
        outcome: 'not charged',
        message:
          'The sale got no response in time. It has been resolved: nothing was charged. A new sale needs a new key.',
      }
    case 'APPROVED':
      throw new Error('the response of an approved sale is missing')
  }
}

const NOT_SENT: SaleOutcome = {
  outcome: 'not sent',
  message: 'The card gateway could not be reached. Nothing was charged. A new sale needs a new key.',
}

export const IN_PROGRESS: SaleOutcome = {
  outcome: 'in progress',
  message: 'An identical sale (same customer, card and amount) is in progress or being resolved. Wait for its outcome.',
}
