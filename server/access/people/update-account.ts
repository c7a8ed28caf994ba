import type { Locale } from '../../../contract/payment-page.ts'
import type { Actor } from '../../audit/actor.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { auditPerson } from './audit-person.ts'
import { findPerson, lockPerson, updatePerson } from './person-queries.ts'

/** Changes name and language of the signed-in person; absent members stay unchanged. */
export async function updateAccount(
  { db, clock }: { db: Db; clock: Clock },
  { session, actor }: { session: { userId: string }; actor: Actor },
  change: { name?: string | undefined; locale?: Locale | null | undefined },
): Promise<void> {
  const { userId } = session
  await transaction(db, async (tx) => {
    await lockPerson(tx, userId)
    const was = await findPerson(tx, userId)
    await updatePerson(tx, { id: userId, ...change, at: clock.now() })
    const before = { name: was?.name, locale: was?.locale }
    await auditPerson(tx, { userId, actor, action: 'account.update', before, after: change }, clock.now())
  })
}
