import type { Db } from '../../db/connection.ts'

interface Use {
  keyId: string
  businessId: string
  address: string
  at: Date
  /** Another process wrote the same address down after this: that is enough. */
  unlessSince: Date
}

export async function writeApiKeyUse(db: Db, { keyId, businessId, address, at, unlessSince }: Use): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: at, last_used_from: address })
    .where('business_id', '=', businessId)
    .where('id', '=', keyId)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<=', unlessSince),
        where('last_used_from', '!=', address),
      ]),
    )
    .execute()
}
