import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { ApiError, type ErrorCode, type ErrorDetail } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'

/** A call that must not happen twice. */
export interface OnceRequest {
  businessId: string
  userId: string
  key: string
  /** Hash of the method, path and body. */
  hash: Buffer
}

/** Final response of a call: what it made, or why it was refused. */
export type OnceResponse = { status: number; body: unknown } | { refusal: { code: ErrorCode; detail: ErrorDetail } }

/** What is known of a call. */
export interface Claim {
  /** Id of what the call makes. */
  objectId: string
  isFirst: boolean
  /** `null` if the call is under way, or its process ended. */
  response: OnceResponse | null
  claimedAt: Date
}

/**
 * Takes the key for this call, unless this very call has it already.
 *
 * @throws ApiError `idempotency_key_reused` if another call has it
 */
export async function claimRequest(tx: Tx, request: OnceRequest, now: Date): Promise<Claim> {
  const { businessId, userId, key, hash } = request
  const objectId = newId()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('dashboard_request')
    .values({
      business_id: businessId,
      user_id: userId,
      key,
      request_hash: hash,
      object_id: objectId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return { objectId, isFirst: true, response: null, claimedAt: now }
  const first = await tx
    .selectFrom('dashboard_request')
    .select(['request_hash', 'status', 'response', 'object_id', 'created_at'])
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!first.request_hash.equals(hash))
    throw new ApiError('idempotency_key_reused', { message: 'This Idempotency-Key was used for another call' })
  const response = first.status === null ? null : (first.response as unknown as OnceResponse)
  return { objectId: first.object_id ?? objectId, isFirst: false, response, claimedAt: first.created_at }
}

/** Whether this very call has taken the key. */
export async function isKnownRequest(db: Db, { businessId, userId, key, hash }: OnceRequest): Promise<boolean> {
  const row = await db
    .selectFrom('dashboard_request')
    .select('key')
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('request_hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
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

/**
 * Releases the key of a call that was refused before it did anything, so that the call may be repeated with the same
 * key.
 */
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
