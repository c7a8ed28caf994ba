import type { AuditAction } from '../../contract/dashboard/audit-actions.ts'
import type { Actor } from './actor.ts'

/** One entry of an audit log. Values of secrets, codes and cards are never in it. */
export interface AuditEntry {
  /** Whose log it is: of a business, or the id of a person for what belongs to their account (DSH-93). */
  businessId: string
  actor: Actor
  /** `<noun>.<verb>`: `api_key.create`. */
  action: AuditAction
  object: { type: string; id: string } | null
  /** What changed, by field; `null` where there was nothing before. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** A call that moves money is `requested`: what became of it is in its operation. */
  outcome: 'done' | 'requested' | 'refused'
}
