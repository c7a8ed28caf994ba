import type { Db } from '../../db/connection.ts'
import { findLastDecline } from '../../payments/operation-queries.ts'
import type { Authentication } from '../../three-d-secure/authentication.ts'
import { findLastCounted } from '../../three-d-secure/authentication-queries.ts'
import type { LastDecline } from './session-event.ts'

/** The last decline on a session: of the gateway, or an authentication that counted like one (TDS-12, TDS-13). */
export async function lastDecline(db: Db, businessId: string, sessionId: string): Promise<LastDecline | null> {
  const declined = await findLastDecline(db, businessId, sessionId)
  const failed = await findLastCounted(db, { businessId, sessionId })
  // Ids are ordered by real time; a test clock moves the times of authentications only.
  if (failed && (!declined || failed.id > declined.id)) return failedAuthentication(failed)
  return declined ? { code: declined.code, message: declined.message } : null
}

/** As the merchant sees it among declines; the payer gets `three_ds_failed`. */
export function failedAuthentication({
  transStatus,
  transStatusReason: reason,
}: Pick<Authentication, 'transStatus' | 'transStatusReason'>): { code: string; message: string } {
  return { code: 'ND', message: `3-D Secure: ${transStatus}${reason === null ? '' : `, reason ${reason}`}` }
}
