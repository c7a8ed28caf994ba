import { sql } from 'kysely'
import type { ResumedSubscription } from '../../../contract/subscription.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../../db/statement.ts'
import type { ErrorDetail } from '../../lib/errors.ts'
import type { KeyedResume } from './resume-key.ts'

/** Idempotency key, claimed by a resume until it has a response. */
export interface ClaimedKey extends KeyedResume {
  /** Identifies the claim: a later claim of an abandoned key has another time. */
  claimedAt: Date
}

/** Response of a resume: 200, or the 402 of its charge. */
export type StoredResponse =
  | { status: 200; body: ResumedSubscription }
  | { status: 402; body: Pick<ErrorDetail, 'message' | 'errors' | 'extra'> }

const CLAIM = statement(
  'claim_resume_request',
  (p) => `insert into resume_request as r (business_id, subscription_id, key, body_hash, created_at)
    values (${p.businessId}::uuid, ${p.subscriptionId}::uuid, ${p.key}::text, ${p.bodyHash}::bytea, ${p.claimedAt}::timestamptz)
    on conflict (business_id, subscription_id, key) do update
      set body_hash = excluded.body_hash, status = null, response = null, created_at = excluded.created_at
      where r.created_at <= ${p.forgottenBefore}::timestamptz
        or (r.status is null and r.created_at <= ${p.abandonedBefore}::timestamptz)
    returning key`,
)

/** @returns whether the key was unused, forgotten, or abandoned by a process that died */
export async function claimKey(
  db: Db,
  claim: ClaimedKey,
  limits: { forgottenBefore: Date; abandonedBefore: Date },
): Promise<boolean> {
  return (await run(db, CLAIM, { ...claim, ...limits })).length > 0
}

export async function findResumeRequest(
  db: Db,
  { businessId, subscriptionId, key }: KeyedResume,
): Promise<{ bodyHash: Buffer; response: StoredResponse | null } | undefined> {
  const { rows } = await sql<{ bodyHash: Buffer; response: StoredResponse | null }>`
    select body_hash as "bodyHash", response from resume_request
    where business_id = ${businessId} and subscription_id = ${subscriptionId} and key = ${key}`.execute(db)
  return rows[0]
}

/** `update resume_request …`, which writes if the source has a row and the resume has a key. */
export const storeResponseIf = (p: Placeholders, source: string) => `update resume_request r
    set status = ${p.responseStatus}::smallint, response = ${p.response}::json
    from ${source} as source where r.business_id = ${p.businessId}::uuid and r.subscription_id = ${p.resumedId}::uuid
      and r.key = ${p.key}::text and r.created_at = ${p.claimedAt}::timestamptz`

/** @param claim `null` for a resume without a key */
export function responseValues(claim: ClaimedKey | null, response: StoredResponse): Values {
  return {
    resumedId: claim?.subscriptionId ?? null,
    key: claim?.key ?? null,
    claimedAt: claim?.claimedAt ?? null,
    responseStatus: response.status,
    response: JSON.stringify(response),
  }
}

const STORE = statement('store_resume_response', (p) => storeResponseIf(p, '(select 1) '))

export async function storeResponse(db: Db, claim: ClaimedKey, response: StoredResponse): Promise<void> {
  await run(db, STORE, { ...responseValues(claim, response), businessId: claim.businessId })
}

const RELEASE = statement(
  'release_resume_request',
  (
    p,
  ) => `delete from resume_request where business_id = ${p.businessId}::uuid and subscription_id = ${p.subscriptionId}::uuid
    and key = ${p.key}::text and created_at = ${p.claimedAt}::timestamptz and status is null`,
)

/** Frees the key of a resume that changed nothing. A key with a response stays. */
export async function releaseKey(db: Db, claim: ClaimedKey): Promise<void> {
  await run(db, RELEASE, { ...claim })
}

export async function deleteOldResumeRequests(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('resume_request').where('created_at', '<=', before).execute()
}
