import type { Actor } from '../../audit/actor.ts'
import type { AuditEntry } from '../../audit/audit.ts'
import { recordAudit } from '../../audit/audit-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import { membershipsOf } from './person-queries.ts'

export type PersonAudit = Pick<AuditEntry, 'action'> &
  Partial<Pick<AuditEntry, 'object' | 'before' | 'after' | 'outcome'>> & { userId: string; actor: Actor }

/**
 * Records a change of a person's account in every business they belong to. The last statements of a transaction; always
 * in the same order of businesses, so that two never wait for each other.
 *
 * @see DSH-15
 */
export async function auditPerson(tx: Tx, { userId, ...given }: PersonAudit, at: Date): Promise<void> {
  const memberships = await membershipsOf(tx, userId)
  const ids = memberships.map(({ business }) => business.id).sort()
  const rest = { object: { type: 'user', id: userId }, before: null, after: null, outcome: 'done', ...given } as const
  for (const businessId of ids) await recordAudit(tx, { ...rest, businessId }, at)
}
