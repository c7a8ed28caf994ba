import type { Tx } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import type { Business } from './business.ts'
import { findBusiness, updateBusiness } from './business-queries.ts'
import { checkBusiness } from './check-business.ts'
import { checkLetterSettings } from './check-letter-settings.ts'
import type { StoredLetterSettings } from './letter-settings.ts'
import { findStoredLetterSettings, updateLetterSettings } from './letter-settings-queries.ts'
import type { Logo } from './logo.ts'
import { replaceLogo } from './logo-queries.ts'

/** What a merchant may change after the business was created. The currency is fixed. */
export type Settings = Omit<Business, 'id' | 'currency' | 'logoHash' | 'newCardsRefusedUntil' | 'clockOffsetSeconds'>

/**
 * Changes the given settings and leaves the others unchanged.
 *
 * @param logo `null` removes it; absent leaves it unchanged
 * @throws ApiError `not_found`, `validation_failed` naming the field
 */
export async function changeSettings(
  tx: Tx,
  businessId: string,
  {
    settings,
    letters = {},
    logo,
  }: { settings: Partial<Settings>; letters?: Partial<StoredLetterSettings>; logo?: Logo | null | undefined },
): Promise<{ business: Business; letters: StoredLetterSettings }> {
  const found = await findBusiness(tx, businessId)
  if (!found) throw new ApiError('not_found', { message: 'No such business' })
  const business = { ...found, ...settings }
  checkBusiness(business)
  const letterSettings = { ...(await findStoredLetterSettings(tx, businessId)), ...letters }
  checkLetterSettings(letterSettings)
  await updateBusiness(tx, business)
  await updateLetterSettings(tx, businessId, letterSettings)
  if (logo !== undefined) await replaceLogo(tx, businessId, logo)
  return {
    business: logo === undefined ? business : { ...business, logoHash: logo?.hash ?? null },
    letters: letterSettings,
  }
}
