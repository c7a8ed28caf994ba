import { createHash } from 'node:crypto'
import type { Db } from '../db/connection.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import type { Reply } from '../http/route.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import type { DashboardCall } from './dashboard-call.ts'
import { claimRequest, finishRequest, type OnceRequest, type OnceResponse, releaseRequest } from './request-queries.ts'

/** What every key must be: a page makes one for each opened dialog. */
const KEY = /^[\x21-\x7e]{16,255}$/

/** Refusals that come before anything was done. All others are the response, also of a repeated call. */
const UNDONE: ReadonlySet<number> = new Set([403, 404, 409, 422, 429])

/**
 * Does `work` once for each `Idempotency-Key` of a person. A repeated call gets the response of the
 * first one; while that is not known, it is a conflict and begins nothing.
 *
 * @param begin runs in the transaction that takes the key
 * @throws ApiError
 * @see DSH-4
 */
export async function doOnce<Answered extends Reply>(
  { db, now }: { db: Db; now: Date },
  request: OnceRequest,
  {
    begin,
    work,
    kept = (reply) => reply.body,
  }: { begin(tx: Tx): Promise<void>; work(): Promise<Answered>; kept?: (reply: Answered) => unknown },
): Promise<Reply> {
  const known = await transaction(db, async (tx) => {
    const first = await claimRequest(tx, request, now)
    if (first === null) await begin(tx)
    return first
  })
  if (known) return replay(known)
  try {
    const reply = await work()
    await finishRequest(db, request, { status: reply.status ?? 200, body: kept(reply) })
    return reply
  } catch (error) {
    await finishRefused(db, request, error)
    throw error
  }
}

function replay(first: OnceResponse): Reply {
  if ('refusal' in first) throw new ApiError(first.refusal.code, first.refusal.detail)
  return { ...first, headers: { 'idempotent-replayed': 'true' } }
}

/** The outcome of any other error is unknown: its key stays taken. */
async function finishRefused(db: Db, request: OnceRequest, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || error.status >= 500) return
  const { code, detail } = error
  if (UNDONE.has(error.status)) await releaseRequest(db, request)
  else await finishRequest(db, request, { refusal: { code, detail: { ...detail, cause: undefined } } })
}

/** @throws ApiError `validation_failed` without a usable key */
export function onceRequestOf(name: string, { member, params, body, idempotencyKey }: DashboardCall): OnceRequest {
  if (idempotencyKey === null || !KEY.test(idempotencyKey)) {
    throw invalidField('Idempotency-Key', 'send a header with 16 to 255 characters, another for each intended call')
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([name, params, body ?? null]))
    .digest()
  return { businessId: member.business.id, userId: member.session.userId, key: idempotencyKey, hash }
}
