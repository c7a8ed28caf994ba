import { type RawBuilder, sql } from 'kysely'
import type { About } from '../../contract/dashboard/about.ts'
import type { LetterKind } from '../../contract/letters.ts'
import type { Db } from '../db/connection.ts'

const itself = (type: About['type']) => sql`jsonb_build_object('type', ${type}::text, 'id', l.object_id)`
const NOTHING = sql`null::jsonb`

/** A refund is shown on the page of its payment, a card on that of its customer. */
const BY_KIND: Record<LetterKind, RawBuilder<unknown>> = {
  subscription_link: itself('subscription'),
  subscription_created: itself('subscription'),
  card_link: itself('subscription'),
  upcoming_renewal: itself('subscription'),
  payment_succeeded: itself('payment'),
  payment_failed: itself('payment'),
  retries_exhausted: itself('payment'),
  refund: sql`(select jsonb_build_object('type', 'payment', 'id', r.payment_id) from refund r
    where r.business_id = l.business_id and r.id = l.object_id)`,
  card_expiring: sql`(select jsonb_build_object('type', 'customer', 'id', k.customer_id) from stored_card k
    where k.business_id = l.business_id and k.id = l.object_id)`,
  card_request: itself('customer'),
  contract_link: itself('contract'),
  endpoint_disabled: itself('webhook_endpoint'),
  password_reset: NOTHING,
  invitation: NOTHING,
  factors_reset: NOTHING,
  account_changed: NOTHING,
}

const ABOUT = sql`case when l.object_id is null then null ${sql.join(
  Object.entries(BY_KIND).map(([kind, about]) => sql`when l.kind = ${kind}::text then ${about}`),
  sql` `,
)} end`

/** Finds what letters are about, by the ids of the letters. Letters about something without a page are left out. */
export async function findAbout(db: Db, businessId: string, letterIds: readonly string[]): Promise<Map<string, About>> {
  if (letterIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; about: About | null }>`
    select l.id, ${ABOUT} as about from letter l
    where l.business_id = ${businessId}::uuid and l.id = any(${letterIds}::uuid[])`.execute(db)
  return new Map(rows.flatMap(({ id, about }) => (about ? [[id, about] as const] : [])))
}
