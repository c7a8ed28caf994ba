import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'

export const TRANS_STATUSES = ['Y', 'N', 'A', 'R', 'C', 'I', 'U', 'D'] as const

/** Members that the page about a payment and that about its session show of 3-D Secure. */
export const ShownAuthentication = Type.Object({
  id: Uuid(),
  /** `authenticated`: no charge has used it yet. `expired`: too late, or replaced by a newer one. */
  status: OneOf(['in_progress', 'authenticated', 'used', 'failed', 'expired']),
  /** `null`: no result came. */
  trans_status: Nullable(OneOf(TRANS_STATUSES)),
  eci: Nullable(Type.String()),
  /** The issuer bears the loss of a fraudulent payment. */
  liability_shift: Type.Boolean(),
  with_challenge: Type.Boolean(),
  message_version: Type.String(),
  server_transaction_id: Type.String(),
  ds_transaction_id: Nullable(Type.String()),
  acs_transaction_id: Nullable(Type.String()),
  /** Cents. */
  amount: Type.Integer(),
  created: EpochSeconds(),
  decided_at: Nullable(EpochSeconds()),
})
export type ShownAuthentication = Static<typeof ShownAuthentication>
