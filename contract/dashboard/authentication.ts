import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'

export const TRANS_STATUSES = ['Y', 'N', 'A', 'R', 'C', 'I', 'U', 'D'] as const

/** Members of 3-D Secure that the pages about a payment and about its session show. */
export const ShownAuthentication = Type.Object({
  id: Uuid(),
  /** `authenticated`: no charge has used it yet. `expired`: too old, or replaced by a newer one. */
  status: OneOf(['in_progress', 'authenticated', 'used', 'failed', 'expired']),
  /** `null` if no result was received. */
  trans_status: Nullable(OneOf(TRANS_STATUSES)),
  eci: Nullable(Type.String()),
  /** Whether the issuer bears the loss of a fraudulent payment. */
  liability_shift: Type.Boolean(),
  with_challenge: Type.Boolean(),
  message_version: Type.String(),
  server_transaction_id: Type.String(),
  ds_transaction_id: Nullable(Type.String()),
  acs_transaction_id: Nullable(Type.String()),
  /** Amount in cents. */
  amount: Type.Integer(),
  created: EpochSeconds(),
  decided_at: Nullable(EpochSeconds()),
})
export type ShownAuthentication = Static<typeof ShownAuthentication>
