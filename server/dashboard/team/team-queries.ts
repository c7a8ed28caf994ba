import type { Db } from '../../db/connection.ts'

export interface MadeKey {
  id: string
  name: string
  last_four: string
}

const KEY_ACTIONS = ['api_key.create', 'api_key.rotate']

/** The keys that a person made or rotated and that work, as the audit log knows them. */
export function listKeysMadeBy(
  db: Db,
  { businessId, userId, now }: { businessId: string; userId: string; now: Date },
): Promise<MadeKey[]> {
  return db
    .selectFrom('api_key')
    .select(['id', 'name', 'last_four'])
    .where('business_id', '=', businessId)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where(({ exists, selectFrom, ref, cast }) =>
      exists(
        selectFrom('audit_entry')
          .select('audit_entry.id')
          .where('audit_entry.business_id', '=', businessId)
          .where('actor_kind', '=', 'person')
          .where('actor_id', '=', userId)
          .where('action', 'in', KEY_ACTIONS)
          .where('object_id', '=', cast<string>(ref('api_key.id'), 'text')),
      ),
    )
    .orderBy('name')
    .limit(100)
    .execute()
}
