import type { Tx } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import type { Business } from './business.ts'
import { findBusiness, updateBusiness } from './business-queries.ts'
import { checkBusiness } from './check-business.ts'
import type { Logo } from './logo.ts'
import { replaceLogo } from './logo-queries.ts'

/** What a merchant may change after the business was created; currency and country are fixed. */
export type Settings = Omit<
  Business,
  'id' | 'currency' | 'country' | 'threeDsEnabled' | 'logoHash' | 'newCardsRefusedUntil' | 'clockOffsetSeconds'
>

/**
 * Changes the given settings and keeps the others.
 *
 * @param logo `null` removes it; absent keeps it
 * @throws ApiError `not_found`, `validation_failed` naming the field
 */
export async function changeSettings(
  tx: Tx,
  businessId: string,
  { settings, logo }: { settings: Partial<Settings>; logo?: Logo | null | undefined },
): Promise<Business> {
  const found = await findBusiness(tx, businessId)
  if (!found) throw new ApiError('not_found', { message: 'No such business' })
  const business = { ...found, ...settings }
  checkBusiness(business)
  await updateBusiness(tx, business)
  if (logo !== undefined) await replaceLogo(tx, businessId, logo)
  return logo === undefined ? business : { ...business, logoHash: logo?.hash ?? null }
}
