import type { Static } from 'typebox'
import type { BrandingDraft } from '../../../contract/dashboard/settings-api.ts'
import type { Db } from '../../db/connection.ts'

type Draft = Static<typeof BrandingDraft>

interface Owner {
  businessId: string
  userId: string
}

/** Saves a draft in place of the person's earlier one. */
export async function saveDraft(
  db: Db,
  { businessId, userId }: Owner,
  { id, draft, at }: { id: string; draft: Draft; at: Date },
) {
  const values = { id, draft: JSON.stringify(draft), created_at: at }
  await db
    .insertInto('branding_draft')
    .values({ business_id: businessId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['business_id', 'user_id']).doUpdateSet(values))
    .execute()
}

export async function findDraft(db: Db, { businessId, userId }: Owner, id: string): Promise<Draft | null> {
  const row = await db
    .selectFrom('branding_draft')
    .select('draft')
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? (row.draft as Draft) : null
}
