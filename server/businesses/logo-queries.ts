import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { Logo } from './logo.ts'

export async function findLogo(db: Db, businessId: string): Promise<Logo | null> {
  const row = await db
    .selectFrom('business_logo')
    .innerJoin('business', 'business.id', 'business_logo.business_id')
    .select(['media_type as mediaType', 'bytes', 'logo_hash as hash'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return row ? { ...row, hash: row.hash ?? '' } : null
}

/** Writes the bytes of a logo, and their hash, which is part of the URL. `null` removes the logo. */
export async function replaceLogo(tx: Tx, businessId: string, logo: Logo | null): Promise<void> {
  await tx.deleteFrom('business_logo').where('business_id', '=', businessId).execute()
  if (logo) {
    const { mediaType, bytes } = logo
    await tx.insertInto('business_logo').values({ business_id: businessId, media_type: mediaType, bytes }).execute()
  }
  await tx
    .updateTable('business')
    .set({ logo_hash: logo?.hash ?? null })
    .where('id', '=', businessId)
    .execute()
}
