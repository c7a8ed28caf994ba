import type { Actor } from '../../audit/actor.ts'
import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { auditPerson } from '../people/audit-person.ts'
import type { NotifyPerson } from '../people/person-notice.ts'
import type { SignedByPasskey } from './passkeys.ts'

/**
 * Tells the person by letter and audit row that their passkey was used with a counter that does not grow, so it was
 * copied. The caller refuses the call like any other.
 *
 * @see DSH-95
 */
export async function tellOfCopy(
  { db, clock, notifyPerson }: { db: Db; clock: Clock; notifyPerson: NotifyPerson },
  { userId, passkey: { id, name } }: SignedByPasskey,
  actorOf: (tx: Tx) => Promise<Actor>,
): Promise<void> {
  await transaction(db, async (tx) => {
    await notifyPerson(tx, userId, { kind: 'account_changed', change: 'passkey_copied', passkey: name })
    const refused = { action: 'passkey.refuse_copy', object: { type: 'passkey', id }, outcome: 'refused' } as const
    await auditPerson(tx, { ...refused, userId, actor: await actorOf(tx), after: { name } }, clock.now())
  })
}
