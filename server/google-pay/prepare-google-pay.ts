import type { Business } from '../businesses/business.ts'
import { invalidField } from '../lib/errors.ts'
import { ensureRecipientKey, type KeyContext } from './change-recipient-keys.ts'
import { recipientOf } from './wallet-terms.ts'

export interface PrepareContext extends KeyContext {
  /** Our name as a gateway at Google. */
  gateway: string | null
}

/**
 * Makes sure that a business which has Google Pay on has a key. Whoever changes these settings calls it in the same
 * transaction. In production the gateway's key is not made here: Google must have registered it.
 *
 * @throws ApiError `validation_failed` for a business without a merchant id at Google where Rialto is not a gateway
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
