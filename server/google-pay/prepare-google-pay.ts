import type { Business } from '../businesses/business.ts'
import { invalidField } from '../lib/errors.ts'
import { ensureRecipientKey, type KeyContext } from './change-recipient-keys.ts'
import { recipientOf } from './wallet-terms.ts'

export interface PrepareContext extends KeyContext {
  /** Our gateway name at Google; `null` if we are not a gateway. */
  gateway: string | null
}

/**
 * Ensures that a business with Google Pay turned on has a key. Must be called in the transaction that changes these
 * settings. In production, the gateway's key is not created here: Google must have registered it.
 *
 * @throws ApiError `validation_failed` for a business without its own Google merchant id if Rialto is not a gateway
 * @see GPY-10
 */
export async function prepareGooglePay(
  context: PrepareContext,
  business: Pick<Business, 'id' | 'googlePayEnabled' | 'googlePayMerchantId'>,
): Promise<void> {
  if (!business.googlePayEnabled) return
  const recipient = recipientOf(business, context.gateway)
  if (!recipient) {
    const text = 'is required, because this service is not a gateway at Google; the operator sets GOOGLE_PAY_GATEWAY'
    throw invalidField('google_pay_merchant_id', text)
  }
  const { keyOwner } = recipient
  if (keyOwner.businessId !== null || context.environment === 'staging') await ensureRecipientKey(context, keyOwner)
}
