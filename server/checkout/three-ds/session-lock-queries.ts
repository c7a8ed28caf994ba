import { type Selectable, sql } from 'kysely'
import type { CheckoutSession } from '../../db/tables.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Session } from '../sessions/session.ts'
import { isBeingPaid } from '../sessions/session-queries.ts'
import { sessionFrom } from '../sessions/session-row.ts'

/**
 * Locks a session, so that until the end of the transaction no payment begins, no attempt is counted and no
 * authentication begins. The second statement sees every sale that began before the lock.
 */
export async function lockSession(
  tx: Tx,
  { businessId, id }: Pick<Session, 'businessId' | 'id'>,
): Promise<{ session: Session; paymentInProgress: boolean }> {
  const ofSession = sql`s.business_id = ${businessId}::uuid and s.id = ${id}::uuid`
  const { rows } = await sql<Selectable<CheckoutSession>>`select s.* from checkout_session s where ${ofSession}
    for no key update`.execute(tx)
  const paid = await sql<{ being_paid: boolean }>`select ${isBeingPaid} as being_paid from checkout_session s
    where ${ofSession}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a session that was loaded does not exist')
  return { session: sessionFrom(row), paymentInProgress: paid.rows[0]?.being_paid === true }
}
