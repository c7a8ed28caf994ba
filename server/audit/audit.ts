import type { AuditAction } from '../../contract/dashboard/audit-actions.ts'
import type { Actor } from './actor.ts'

/** An entry of an audit log. It never contains values of secrets, codes or cards. */
export interface AuditEntry {
  /** Owner of the log: a business, or the id of a person for what concerns their account (DSH-93). */
  businessId: string
  actor: Actor
  /** `<noun>.<verb>`: `api_key.create`. */
  action: AuditAction
  object: { type: string; id: string } | null
  /** The changed fields before the change; `null` if there was nothing before. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** A call that moves money is `requested`; its operation has the outcome. */
  outcome: 'done' | 'requested' | 'refused'
}
