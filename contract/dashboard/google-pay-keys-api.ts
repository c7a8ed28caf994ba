import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { DashboardList } from './list.ts'

// The keys that Google Pay tokens are encrypted for, of a business with a merchant id of its own at Google.

export const GooglePayKey = Type.Object({
  id: Uuid(),
  object: Type.Literal('google_pay_key'),
  /** An uncompressed point in base64, as Google takes it. */
  public_key: Type.String(),
  /** `retired`: tokens for it are refused. */
  status: OneOf(['active', 'retired']),
  created: EpochSeconds(),
  retired_at: Nullable(EpochSeconds()),
})
export type GooglePayKey = Static<typeof GooglePayKey>

const GooglePayKeyList = DashboardList(GooglePayKey)

export interface GooglePayKeysApi {
  /** Newest first. */
  'GET /google_pay_keys': { response: Static<typeof GooglePayKeyList> }
  /** Adds a key, which new tokens are encrypted for. */
  'POST /google_pay_keys': { response: GooglePayKey }
  'POST /google_pay_keys/{id}/retire': { response: GooglePayKey }
}
