import { type Business, businessNow } from '../../businesses/business.ts'
import { findRecipient } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import { newNotification } from '../../events/notification.ts'
import { recordNotification } from '../../events/notification-queries.ts'
import type { Clock } from '../../lib/clock.ts'
import { conflict } from '../subscription.ts'
import { findContract } from './contract-queries.ts'

/**
 * E-mails the customer the link of a contract that was sent.
 *
 * @returns the address; `null` if the customer has none and gets the link from the merchant
 * @throws ApiError `conflict` if the contract cannot be signed; `rate_limited`
 * @see LTR-24
 */
export async function sendContractLetter(
  { db, clock, letterLimit }: { db: Db; clock: Clock; letterLimit: LetterLimit },
  { business, id }: { business: Business; id: string },
): Promise<string | null> {
  const found = await findContract(db, business.id, id)
  if (found?.contract.status !== 'sent') throw conflict('Only a contract that was sent can be signed.')
  const customer = await findRecipient(db, business.id, found.contract.customerId)
  const recipient = customer?.email
  if (!recipient) return null
  const { id: businessId } = business
  const createdAt = businessNow(clock, business)
  const asked = newNotification({ businessId, type: 'contract.link', data: { contract_id: id }, createdAt })
  await transaction(db, async (tx) => {
    await letterLimit.require(tx, { businessId, recipient })
    await recordNotification(tx, asked)
  })
  return recipient
}
