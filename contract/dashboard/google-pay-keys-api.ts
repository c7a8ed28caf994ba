import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { DashboardList } from './list.ts'

// The keys with which Google Pay tokens are encrypted, for a business with its own merchant id at Google.

export const GooglePayKey = Type.Object({
  id: Uuid(),
  object: Type.Literal('google_pay_key'),
  /** An uncompressed point in base64, as Google expects it. */
  public_key: Type.String(),
  /** `retired`: tokens encrypted for it are refused. */
  status: OneOf(['active', 'retired']),
  created: EpochSeconds(),
  retired_at: Nullable(EpochSeconds()),
})
export type GooglePayKey = Static<typeof GooglePayKey>

const GooglePayKeyList = DashboardList(GooglePayKey)

export interface GooglePayKeysApi {
  /** Returns the keys, newest first. */
  'GET /google_pay_keys': { response: Static<typeof GooglePayKeyList> }
  /** Adds a key with which new tokens are encrypted. */
  'POST /google_pay_keys': { response: GooglePayKey }
  'POST /google_pay_keys/{id}/retire': { response: GooglePayKey }
}
