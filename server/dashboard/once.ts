import type { Db } from '../db/connection.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import type { Reply } from '../http/route.ts'
import { addSeconds } from '../lib/clock.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { credentialHash, type Keyring } from '../lib/keyring.ts'
import type { DashboardCall } from './dashboard-call.ts'
import { claimRequest, finishRequest, type OnceRequest, type OnceResponse, releaseRequest } from './request-queries.ts'

/** Form of every key. A page makes one for each dialog that is opened. */
const KEY = /^[\x21-\x7e]{16,255}$/

/**
 * Statuses of refusals that come before anything is done. Any other refusal is the response, also to a repeated call.
 */
const UNDONE: ReadonlySet<number> = new Set([403, 404, 409, 422, 429])

/** Longer than any call lasts: after this time, a call without a response no longer has a process. */
const ABANDONED_SECONDS = 60

/** The work of a call, which receives the id of the object to make. */
export interface OnceWork<Answered extends Reply> {
  /** Runs in the transaction that takes the key. */
  begin(tx: Tx, objectId: string): Promise<void>
  work(objectId: string): Promise<Answered>
  /**
   * Returns the outcome of a call whose response was lost; `null` if it made nothing. Without `recover`, the outcome
   * stays unknown.
   */
  recover?: ((objectId: string) => Promise<Answered | null>) | undefined
  /** Returns what is stored of a response, without secrets. */
  kept?: (reply: Answered) => unknown
}

/**
 * Does `work` once for each `Idempotency-Key` of a person. A repeated call gets the response of the first. Until that
 * is known, it gets the outcome so far. If there is none and the first call's process must have ended, it does the work
 * itself, under the same id.
 *
 * @throws ApiError `conflict` while nothing is known of the first call
 * @see DSH-4
 */
export async function doOnce<Answered extends Reply>(
  { db, now }: { db: Db; now: Date },
  request: OnceRequest,
  { begin, work, recover, kept = (reply) => reply.body }: OnceWork<Answered>,
): Promise<Reply> {
  const claim = await transaction(db, async (tx) => {
    const claimed = await claimRequest(tx, request, now)
    if (claimed.isFirst) await begin(tx, claimed.objectId)
    return claimed
  })
  if (claim.response) return replay(claim.response)
  const { objectId } = claim
  if (!claim.isFirst) {
    const known = await recover?.(objectId)
    if (known) return { ...known, headers: { ...known.headers, ...REPLAYED } }
    if (!recover || claim.claimedAt > addSeconds(now, -ABANDONED_SECONDS)) throw underWay()
  }
  try {
    const reply = await work(objectId)
    await finishRequest(db, request, { status: reply.status ?? 200, body: kept(reply) })
    return reply
  } catch (error) {
    // The call may have started something that its error does not tell, for example when the outcome is unknown.
    const known = await recover?.(objectId)
    if (known) return known
    await finishRefused(db, request, error)
    throw error
  }
}

const underWay = () =>
  new ApiError('conflict', {
    message: 'This call is under way, or its outcome is not known. Look at its object before you repeat it.',
  })

const REPLAYED = { 'idempotent-replayed': 'true' }

/**
 * Thrown if the limit is exceeded together with an earlier call, or if a call that was a repetition is now the first
 * one.
 */
export class ProofNeeded extends Error {}

const LOOKS_MAX = 5

/**
 * Repeats an attempt that turns out to need a proof as a new first call. Between any two looks, other calls may reach
 * the limit or release the key.
 *
 * @throws ApiError `conflict` if every look gives another result
 * @see DSH-34
 */
export async function untilProven(attempt: () => Promise<Reply>, anew: () => Promise<Reply>): Promise<Reply> {
  let current = attempt
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    try {
      return await current()
    } catch (error) {
      if (!(error instanceof ProofNeeded)) throw error
      current = anew
    }
  }
  throw new ApiError('conflict', {
    message: 'Other calls reach the limit at this moment. Nothing was done: try again.',
  })
}

/**
 * Like `doOnce`, for work that waits for no other system: the key is taken in the transaction of the work. A repeated
 * call waits for the first one, and gets its response.
 *
 * @param kept returns the body that a repeated call gets
 */
export function writeOnce<Answered extends Reply>(
  { db, now }: { db: Db; now: Date },
  request: OnceRequest,
  { work, kept }: { work(tx: Tx): Promise<Answered>; kept(reply: Answered): unknown },
): Promise<Reply> {
  return transaction(db, async (tx) => {
    const claim = await claimRequest(tx, request, now)
    if (claim.response) return replay(claim.response)
    if (!claim.isFirst) throw underWay()
    const reply = await work(tx)
    await finishRequest(tx, request, { status: reply.status ?? 200, body: kept(reply) })
    return reply
  })
}

function replay(first: OnceResponse): Reply {
  if ('refusal' in first) throw new ApiError(first.refusal.code, first.refusal.detail)
  return { ...first, headers: REPLAYED }
}

/**
 * Releases or finishes the key of a refused call. After any other error the outcome is unknown, and the key stays
 * taken.
 */
async function finishRefused(db: Db, request: OnceRequest, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || error.status >= 500) return
  const { code, detail } = error
  if (UNDONE.has(error.status)) await releaseRequest(db, request)
  else await finishRequest(db, request, { refusal: { code, detail: { ...detail, cause: undefined } } })
}

/**
 * Reads the key and hashes the call. A body may contain a password, so its hash is keyed: a stolen table does not help
 * to check guesses.
 *
 * @throws ApiError `validation_failed` without a usable key
 */
export function onceRequestOf(
  keyring: Keyring,
  name: string,
  { member, params, body, idempotencyKey }: DashboardCall,
): OnceRequest {
  if (idempotencyKey === null || !KEY.test(idempotencyKey)) {
    throw invalidField('Idempotency-Key', 'send a header with 16 to 255 characters, another for each intended call')
  }
  const hash = credentialHash(keyring, JSON.stringify([name, params, body ?? null]))
  return { businessId: member.business.id, userId: member.session.userId, key: idempotencyKey, hash }
}
