import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { auditPerson } from '../people/audit-person.ts'
import { endSessionOf } from './live-session-queries.ts'
import type { PersonCaller } from './member-access.ts'

/**
 * Ends a session of the person, and writes its audit row.
 *
 * @param id id of this session or of another one of theirs
 * @returns whether they had it
 * @see DSH-15
 */
export function endOwnSession(
  { db, clock }: { db: Db; clock: Clock },
  { session: { userId }, actor }: PersonCaller,
  id: string,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const ended = await endSessionOf(tx, { userId, id })
    const object = { type: 'session', id }
    if (ended) await auditPerson(tx, { userId, actor, action: 'session.end', object }, clock.now())
    return ended
  })
}
