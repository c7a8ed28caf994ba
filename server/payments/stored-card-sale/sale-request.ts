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
/** A key is remembered for a day (PAY-27). */
export const KEY_LIFETIME_SECONDS = 86_400
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/**
 * What makes two requests the same one.
 *
 * @param key the header as it came; `null` for a request without one, which is never the same as another
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
  // A merchant may write anything into a key, so only its hash is stored.
  const keyHash = createHash('sha256').update(key).digest('base64url')
  return { key: keyHash, bodyHash, at: now, forgottenBefore: addSeconds(now, -KEY_LIFETIME_SECONDS) }
}

/**
 * What the same request got before.
 *
 * @returns `null` when this is the first, or when the first provably never left us
 * @throws ApiError `validation_failed` for another body; `payment_in_progress`, `gateway_timeout` as the first stands
 */
export async function knownResponse(
  { db, owners }: Pick<PaymentServices, 'db' | 'owners'>,
  businessId: string,
  request: KeyedRequest | null,
): Promise<SavedCardSaleResponse | null> {
  const known = request && (await findSaleRequest(db, businessId, request))
  if (!known) return null
  if (!known.bodyHash.equals(request.bodyHash)) {
    throw invalidField(HEADER, 'was used for another sale within the last 24 hours; a new sale needs a new key')
  }
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
          'The sale got no response in time. Its outcome is known now: nothing was charged. A new sale needs a new key.',
        extra: { charged: false },
      })
    case 'APPROVED':
      throw new Error('An approved sale without its response')
  }
}

export function saleInProgress(): ApiError {
  return new ApiError('payment_in_progress', {
    message: 'The same sale is running or being resolved: this customer, card and amount. Wait for its outcome.',
    extra: { charged: null },
  })
}
