import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { ApiError, type ErrorCode, type ErrorDetail } from '../lib/errors.ts'

/** A call that must not happen twice. */
export interface OnceRequest {
  businessId: string
  userId: string
  key: string
  /** Of its method, path and body. */
  hash: Buffer
}

/** Its final response: what it made, or why it was refused. */
export type OnceResponse = { status: number; body: unknown } | { refusal: { code: ErrorCode; detail: ErrorDetail } }

/**
 * Takes the key for this call.
 *
 * @returns `null` when it is the first with this key; else the response that the first one got
 * @throws ApiError `idempotency_key_reused` for another call; `conflict` while the first one has no response
 */
export async function claimRequest(tx: Tx, { businessId, userId, key, hash }: OnceRequest, now: Date) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('dashboard_request')
    .values({ business_id: businessId, user_id: userId, key, request_hash: hash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return null
  const first = await tx
    .selectFrom('dashboard_request')
    .select(['request_hash', 'status', 'response'])
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!first.request_hash.equals(hash))
    throw new ApiError('idempotency_key_reused', { message: 'This Idempotency-Key was used for another call' })
  if (first.status === null)
    throw new ApiError('conflict', {
      message: 'This call is under way, or its outcome is not known. Look at its object before you repeat it.',
    })
  return first.response as unknown as OnceResponse
}

export async function finishRequest(db: Db, request: OnceRequest, response: OnceResponse): Promise<void> {
  const status =
    'refusal' in response ? new ApiError(response.refusal.code, response.refusal.detail).status : response.status
  await db
    .updateTable('dashboard_request')
    .set({ status, response: JSON.stringify(response) })
    .where('business_id', '=', request.businessId)
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .execute()
}

/** The call was refused before it did anything, so that it may come again with the same key. */
export async function releaseRequest(db: Db, { businessId, userId, key }: OnceRequest): Promise<void> {
  await db
    .deleteFrom('dashboard_request')
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

export async function deleteOldRequests(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('dashboard_request').where('created_at', '<', before).execute()
}
