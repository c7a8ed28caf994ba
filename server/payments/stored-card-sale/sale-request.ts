import { createHash } from 'node:crypto'
import type { SavedCardSale, SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { unknownOutcome } from '../charge/unknown-outcome.ts'
import type { ChargeOwner } from '../charge-owner.ts'
import type { OperationState } from '../operation.ts'
import type { PaymentServices } from '../services.ts'
import { findSaleRequest, type KeyedRequest } from './sale-queries.ts'

const HEADER = 'Idempotency-Key'
/** A key is valid for a day (PAY-27). */
export const KEY_LIFETIME_SECONDS = 86_400
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

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
 * Returns the stored response of an earlier request with the same key.
 *
 * @param isRepeatable whether a sale that was provably not sent may be made again, under a new operation
 * @returns `null` when this is the first request, or when the first sale was provably not sent
 * @throws ApiError `validation_failed` for another body; `payment_in_progress` while the first sale is open;
 *   `gateway_timeout` when its caller got no response; `gateway_unavailable` when it was not sent and is not repeatable
 */
export async function knownResponse(
  { db, owners }: Pick<PaymentServices, 'db' | 'owners'>,
  businessId: string,
  request: KeyedRequest | null,
  { isRepeatable = true }: { isRepeatable?: boolean } = {},
): Promise<SavedCardSaleResponse | null> {
  const known = request && (await findSaleRequest(db, businessId, request))
  if (!known) return null
  if (!known.bodyHash.equals(request.bodyHash)) {
    throw invalidField(HEADER, 'was used for another sale within the last 24 hours; a new sale needs a new key')
  }
  if (known.state === 'NOT_SENT' && !isRepeatable) throw notSent()
  return known.response ?? withoutResponse(known.state, owners('stored_card_sale'))
}

function withoutResponse(state: OperationState, owner: ChargeOwner): null {
  switch (state) {
    case 'NOT_SENT':
      return null
    case 'SENT':
      throw saleInProgress()
    case 'IN_DOUBT':
    case 'REVERSING':
      throw unknownOutcome(owner)
    case 'DECLINED':
    case 'NOT_CHARGED':
    case 'REVERSED':
      throw new ApiError('gateway_timeout', {
        message:
          'The sale got no response in time. It has been resolved: nothing was charged. A new sale needs a new key.',
        extra: { charged: false },
      })
    case 'APPROVED':
      throw new Error('the response of an approved sale is missing')
  }
}

const notSent = () =>
  new ApiError('gateway_unavailable', {
    message: 'The card gateway could not be reached. Nothing was charged. A new sale needs a new key.',
    extra: { charged: false },
  })

export function saleInProgress(): ApiError {
  return new ApiError('payment_in_progress', {
    message:
      'An identical sale (same customer, card and amount) is in progress or being resolved. Wait for its outcome.',
    extra: { charged: null },
  })
}
