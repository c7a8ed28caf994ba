import type { Db } from '../db/connection.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import type { AuditEntry } from './audit.ts'
import { recordAudit } from './audit-queries.ts'

/** A result, and the change as the audit log has it. */
export interface Audited<Result> {
  result: Result
  object: AuditEntry['object']
  before?: AuditEntry['before']
  after?: AuditEntry['after']
  /** Set if nothing new was written, and so there is no entry. */
  isUnchanged?: boolean
}

/**
 * Makes a change and writes its audit entry, in one transaction.
 *
 * @param work must write with `tx` alone
 * @see DSH-15
 */
export function audited<Result>(
  { db, clock }: { db: Db; clock: Clock },
  { businessId, actor, action }: Pick<AuditEntry, 'businessId' | 'actor' | 'action'>,
  work: (tx: Tx) => Promise<Audited<Result>>,
): Promise<Result> {
  return transaction(db, async (tx) => {
    const { result, object, before = null, after = null, isUnchanged = false } = await work(tx)
    if (isUnchanged) return result
    await recordAudit(tx, { businessId, actor, action, object, before, after, outcome: 'done' }, clock.now())
    return result
  })
}
