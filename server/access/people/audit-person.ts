import type { Actor } from '../../audit/actor.ts'
import type { AuditEntry } from '../../audit/audit.ts'
import { recordAudit } from '../../audit/audit-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import { onlyBusinessOf } from './person-queries.ts'

export type PersonAudit = Pick<AuditEntry, 'action'> &
  Partial<Pick<AuditEntry, 'object' | 'before' | 'after' | 'outcome'>> & { userId: string; actor: Actor }

/**
 * Records a change of a person's account. The entry goes to the log of their only business; otherwise to a log of their
 * own, since the change was not made for one of their businesses. Call it as the last statement of a transaction.
 *
 * @see DSH-15, DSH-93
 */
export async function auditPerson(tx: Tx, { userId, ...given }: PersonAudit, at: Date): Promise<void> {
  const businessId = (await onlyBusinessOf(tx, userId)) ?? userId
  const rest = { object: { type: 'user', id: userId }, before: null, after: null, outcome: 'done', ...given } as const
  await recordAudit(tx, { ...rest, businessId }, at)
}
