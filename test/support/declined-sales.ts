import { sql } from 'kysely'
import type { TestService } from './service.ts'

/** Number of rows per statement, which takes seconds at most. */
const PORTION = 5_000

/** Adds declined sales, as they would be recorded, each with a different amount. */
export async function addDeclinedSales({ app, demo }: TestService, count: number, code = 'ND'): Promise<void> {
  for (let from = 0; from < count; from += PORTION)
    await sql`insert into operation (business_id, id, kind, state, lost, owner_kind, owner_id, merchant_ref, terminal_id,
        amount, currency, card_brand, card_first6, card_last4, code, lost_code, message, sent_at, deadline_at,
        finalized_at, declined_at)
      select t.business_id, uuidv7(), 'sale', 'DECLINED', true, 'stored_card_sale', gen_random_uuid(), 'PAGE-' || n, t.id,
        100 + n, t.currency, 'visa', '424242', '1881', ${code}::text, ${code}::text, 'Declined', now(), now(), now(), now()
      from generate_series(${from}::int, ${Math.min(from + PORTION, count) - 1}::int) n,
        (select * from terminal where business_id = ${demo.business_id} limit 1) t
    `.execute(app.services.db)
}
