import type { ShownAuthentication } from '../../contract/dashboard/authentication.ts'
import { epochSeconds } from '../lib/clock.ts'
import { type AuthenticationState, shiftsLiability } from '../three-d-secure/authentication.ts'
import type { StoredResult } from '../three-d-secure/shown-authentication-queries.ts'

const STATUS: Record<AuthenticationState, ShownAuthentication['status']> = {
  STARTED: 'in_progress',
  SENT: 'in_progress',
  CHALLENGE: 'in_progress',
  AUTHENTICATED: 'authenticated',
  CONSUMED: 'used',
  FAILED: 'failed',
  EXPIRED: 'expired',
}

/**
 * Returns an authentication without the value that proves it, and without the issuer's reason codes (TDS-4, TDS-19).
 */
export function shownAuthentication(result: StoredResult): ShownAuthentication {
  const { id, state, transStatus, eci, messageVersion, challengedAt, amount, createdAt, decidedAt } = result
  return {
    id,
    status: STATUS[state],
    trans_status: transStatus,
    eci,
    liability_shift: transStatus !== null && shiftsLiability(transStatus),
    with_challenge: challengedAt !== null,
    message_version: messageVersion,
    server_transaction_id: result.serverTransactionId,
    ds_transaction_id: result.dsTransactionId,
    acs_transaction_id: result.acsTransactionId,
    amount,
    created: epochSeconds(createdAt),
    decided_at: decidedAt && epochSeconds(decidedAt),
  }
}
