import type { Db } from '../../db/connection.ts'

export interface MadeKey {
  id: string
  name: string
  last_four: string
}

/** The keys that a person made or rotated and that work: they work on when the person is gone. */
export function listKeysMadeBy(
  db: Db,
  { businessId, email, now }: { businessId: string; email: string; now: Date },
): Promise<MadeKey[]> {
  return db
    .selectFrom('api_key')
    .select(['id', 'name', 'last_four'])
    .where('business_id', '=', businessId)
    .where('created_by', '=', email)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('name')
    .limit(100)
    .execute()
}
