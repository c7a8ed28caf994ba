import type { Db } from '../db/connection.ts'
import type { RefusedRequest } from './refused-request.ts'

export async function insertRefusedRequests(db: Db, rows: readonly RefusedRequest[]): Promise<void> {
  const values = rows.map((row) => ({
    business_id: row.businessId,
    id: row.id,
    created_at: row.createdAt,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    param: row.param,
    credential_kind: row.credentialKind,
    credential_id: row.credentialId,
    ip: row.ip,
    request_id: row.requestId,
  }))
  await db.insertInto('refused_request').values(values).execute()
}

export async function deleteOldRefusals(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('refused_request').where('created_at', '<', before).execute()
}
