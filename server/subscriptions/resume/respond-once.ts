import type { FastifyBaseLogger } from 'fastify'
import type { ResumedSubscription } from '../../../contract/subscription.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { GatewayTimings } from '../../payments/operation.ts'
import { conflict } from '../subscription.ts'
import { type KeyedResume, keyReused } from './resume-key.ts'
import {
  type ClaimedKey,
  claimKey,
  findResumeRequest,
  releaseKey,
  type StoredResponse,
  storeResponse,
} from './resume-request-queries.ts'

export const KEY_LIFETIME_SECONDS = 86_400
/** A key that is released between two reads can be claimed again. */
const LOOKS_MAX = 5

interface OnceServices {
  db: Db
  clock: Clock
  timings: GatewayTimings
  log: FastifyBaseLogger
}

/**
 * Runs a resume once for each idempotency key. A repeated request gets the response of the first one, even a 402; any
 * other refusal frees the key, because nothing happened.
 *
 * @throws ApiError `idempotency_key_reused`; `conflict` while the first request runs; any error of `resume`
 * @see SUB-32
 */
export async function respondOnce(
  services: OnceServices,
  request: KeyedResume | null,
  resume: (claim: ClaimedKey | null) => Promise<ResumedSubscription>,
): Promise<ResumedSubscription> {
  if (request === null) return resume(null)
  const claim = { ...request, claimedAt: services.clock.now() }
  const known = await claimOrFind(services, claim)
  if (known) return responseOf(known)
  try {
    return await resume(claim)
  } catch (error) {
    await endRefused(services.db, claim, error).catch((failure: unknown) =>
      services.log.warn({ err: failure }, 'an idempotency key was not ended; it expires'),
    )
    throw error
  }
}

/**
 * Stores a 402 as the response, whether or not anything was sent. A decline has already been stored with its record.
 */
async function endRefused(db: Db, claim: ClaimedKey, error: unknown): Promise<void> {
  if (!(error instanceof ApiError && error.code === 'card_declined')) return releaseKey(db, claim)
  const { message, errors, extra } = error.detail
  await storeResponse(db, claim, { status: 402, body: { message, ...(errors && { errors }), ...(extra && { extra }) } })
}

/** @returns the response of an earlier request; `null` if the key is claimed */
async function claimOrFind({ db, timings }: OnceServices, claim: ClaimedKey): Promise<StoredResponse | null> {
  const { claimedAt } = claim
  const forgottenBefore = addSeconds(claimedAt, -KEY_LIFETIME_SECONDS)
  // By then its charge has an outcome or is left to recovery: a process that has not responded has died.
  const abandonedBefore = addSeconds(claimedAt, -timings.wireMs / 1_000)
  for (let look = 1; look <= LOOKS_MAX; look++) {
    if (await claimKey(db, claim, { forgottenBefore, abandonedBefore })) return null
    const known = await findResumeRequest(db, claim)
    if (!known) continue
    if (!known.bodyHash.equals(claim.bodyHash)) throw keyReused()
    if (known.response) return known.response
    break
  }
  throw conflict('A resume with this idempotency key is running. Try again when it has a response.')
}

/** @throws ApiError `card_declined` */
export function responseOf(known: StoredResponse): ResumedSubscription {
  if (known.status === 402) throw new ApiError('card_declined', known.body)
  return known.body
}
