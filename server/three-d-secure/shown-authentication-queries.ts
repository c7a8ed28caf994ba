import type { Db } from '../db/connection.ts'
import type { Cents } from '../lib/money.ts'
import type { AuthenticationState } from './authentication.ts'
import type { TransStatus } from './three-ds-server.ts'

/** Authentication as shown to people of the business. */
export interface StoredResult {
  id: string
  state: AuthenticationState
  transStatus: TransStatus | null
  eci: string | null
  messageVersion: string
  serverTransactionId: string
  dsTransactionId: string | null
  acsTransactionId: string | null
  challengedAt: Date | null
  amount: Cents
  createdAt: Date
  decidedAt: Date | null
}

const results = (db: Db, businessId: string) =>
  db
    .selectFrom('authentication')
    .select([
      'id',
      'state',
      'trans_status as transStatus',
      'eci',
      'message_version as messageVersion',
      'server_transaction_id as serverTransactionId',
      'ds_transaction_id as dsTransactionId',
      'acs_transaction_id as acsTransactionId',
      'challenged_at as challengedAt',
      'amount',
      'created_at as createdAt',
      'decided_at as decidedAt',
    ])
    .where('business_id', '=', businessId)
    .$castTo<StoredResult>()

/** Finds the authentication that the sale used. */
export function findResultOfOperation(
  db: Db,
  businessId: string,
  operationId: string,
): Promise<StoredResult | undefined> {
  return results(db, businessId).where('operation_id', '=', operationId).executeTakeFirst()
}

const RESULTS_MAX = 50

/** Lists all authentications of a session, oldest first. */
export function listResultsOfSession(db: Db, businessId: string, sessionId: string): Promise<StoredResult[]> {
  return results(db, businessId)
    .where('session_id', '=', sessionId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(RESULTS_MAX)
    .execute()
}
