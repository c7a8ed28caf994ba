import { sql } from 'kysely'
import type { SessionAttempt } from '../../../contract/dashboard/sessions-api.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'

interface AttemptRow {
  id: string
  state: string
  amount: number
  card_brand: string | null
  card_last4: string | null
  code: string | null
  message: string | null
  counts_as_attempt: boolean
  sent_at: Date
}

/** Lists the sales of a session, in the order in which they were sent. */
export async function listAttempts(db: Db, businessId: string, sessionId: string): Promise<SessionAttempt[]> {
  // Each half repeats the condition of its index.
  const sales = sql`select id, state, amount, card_brand, card_last4, code, message, counts_as_attempt, sent_at, parent_id
    from operation where business_id = ${businessId}::uuid and owner_id = ${sessionId}::uuid`
  const { rows } = await sql<AttemptRow>`
    select * from (
      ${sales} and (lost or parent_id is not null) union all ${sales} and not lost and parent_id is null
    ) as of_session where parent_id is null order by sent_at, id limit 50`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    outcome: outcomeOf(row),
    amount: row.amount,
    brand: row.card_brand,
    last4: row.card_last4,
    code: row.code,
    message: row.message,
    created: epochSeconds(row.sent_at),
  }))
}

/**
 * Returns the outcome of a sale. A sale that never reached the issuer has failed, and does not use up one of the three
 * attempts.
 */
function outcomeOf({ state, counts_as_attempt: counts }: AttemptRow): SessionAttempt['outcome'] {
  if (state === 'APPROVED') return 'approved'
  if (state === 'SENT' || state === 'IN_DOUBT') return 'in_doubt'
  if (state === 'REVERSING') return 'reversing'
  if (state === 'REVERSED') return 'reversed'
  return state === 'DECLINED' && counts ? 'declined' : 'failed'
}
