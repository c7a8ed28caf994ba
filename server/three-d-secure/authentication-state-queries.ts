import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { unflushed } from '../db/unflushed.ts'
import {
  type Authentication,
  type AuthenticationState,
  type AuthenticationTrigger,
  nextAuthenticationState,
} from './authentication.ts'
import type { MessageVersion, TransStatus } from './three-ds-server.ts'

// Changes of an authentication's state, each conditional on the state that the caller has read: only one of several
// concurrent calls succeeds. Changes that the payer can repeat if a crash of the database loses them commit without
// waiting for the disk (TDS-30).

type Read = Pick<Authentication, 'businessId' | 'id' | 'state'>

/** Starts a change of state. The card is needed only before the first one. */
function move(db: Db, { businessId, id, state }: Read, trigger: AuthenticationTrigger) {
  const next = nextAuthenticationState(state, trigger)
  if (next === null) throw new Error(`An authentication that is ${state} does not "${trigger}"`)
  return db
    .updateTable('authentication')
    .set({ state: next, sealed_card: null })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', state)
}

/** States that a newer authentication of the session ends. */
const UNFINISHED = ['STARTED', 'SENT', 'CHALLENGE'] as const satisfies AuthenticationState[]

/** Ends unfinished authentications, because the newest wins (TDS-22). The session must be locked. */
export async function expireUnfinished(
  tx: Tx,
  { businessId, sessionId }: Pick<Authentication, 'businessId' | 'sessionId'>,
): Promise<void> {
  await tx
    .updateTable('authentication')
    .set({ state: 'EXPIRED', sealed_card: null })
    .where('business_id', '=', businessId)
    .where('session_id', '=', sessionId)
    .where('state', 'in', UNFINISHED)
    .execute()
}

export interface Lookup {
  serverTransactionId: string
  messageVersion: MessageVersion
  methodUrl: string | null
  /** Time of the lookup, in the business's time. */
  now: Date
}

/** @returns `false` if a newer authentication has ended this one meanwhile */
export async function recordLookup(
  db: Db,
  { businessId, id }: Pick<Read, 'businessId' | 'id'>,
  { serverTransactionId, messageVersion, methodUrl, now, sealedCard }: Lookup & { sealedCard: Buffer },
): Promise<boolean> {
  const row = await db
    .updateTable('authentication')
    .set({
      server_transaction_id: serverTransactionId,
      message_version: messageVersion,
      method_url: methodUrl,
      sealed_card: sealedCard,
      looked_up_at: now,
    })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .where('looked_up_at', 'is', null)
    .where(unflushed)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findSealedCard(db: Db, { businessId, id }: Pick<Read, 'businessId' | 'id'>) {
  const row = await db
    .selectFrom('authentication')
    .select('sealed_card')
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .executeTakeFirst()
  return row?.sealed_card ?? null
}

/** What the browser and the issuer's method did before the request. */
export interface Sending {
  challengeWindow: string
  /** Second lookup of the card, if the transaction id was too old; otherwise `null`. */
  again: Lookup | null
  now: Date
}

/**
 * Claims the only request to the directory server. This wipes the card: a request is never sent twice under the same
 * transaction id.
 *
 * @returns whether the issuer's method had notified by then; `null` if another call has claimed the request
 */
export async function claimSending(
  db: Db,
  read: Authentication,
  { challengeWindow, again, now }: Sending,
): Promise<{ methodDoneAt: Date | null } | null> {
  const row = await move(db, read, 'send')
    .set({ sent_at: now, challenge_window: challengeWindow })
    .$if(again !== null, (update) =>
      update.set({
        server_transaction_id: again?.serverTransactionId ?? null,
        message_version: again?.messageVersion ?? null,
        method_url: again?.methodUrl ?? null,
        looked_up_at: again?.now ?? null,
        method_done_at: null,
      }),
    )
    .where('server_transaction_id', '=', read.serverTransactionId)
    .where(unflushed)
    .returning('method_done_at as methodDoneAt')
    .executeTakeFirst()
  return row ?? null
}

export async function recordChallenge(
  db: Db,
  read: Read,
  { url, acsTransactionId, dsTransactionId, now }: ChallengeBegun,
): Promise<void> {
  await move(db, read, 'challenge')
    .set({
      challenge_url: url,
      acs_transaction_id: acsTransactionId,
      ds_transaction_id: dsTransactionId,
      challenged_at: now,
    })
    .where(unflushed)
    .execute()
}

interface ChallengeBegun {
  url: string
  acsTransactionId: string
  dsTransactionId: string | null
  now: Date
}

export interface RecordedVerdict {
  transStatus: TransStatus
  reason: string | null
  cardholderInfo: string | null
  eci: string | null
  /** `null` leaves the known value unchanged. */
  dsTransactionId: string | null
  /** Authentication value of the result, sealed until a charge uses it. */
  sealedValue: Buffer | null
  /** Until when a charge may use the result, or what is left of it is stored. */
  expiresAt: Date
  counted: boolean
  now: Date
}

/** @returns `false` if another call has ended the authentication */
export async function recordVerdict(db: Db, read: Read, verdict: RecordedVerdict): Promise<boolean> {
  const isAuthenticated = verdict.transStatus === 'Y' || verdict.transStatus === 'A'
  const row = await move(db, read, isAuthenticated ? 'authenticated' : 'failed')
    .set((is) => ({
      trans_status: verdict.transStatus,
      trans_status_reason: verdict.reason,
      cardholder_info: verdict.cardholderInfo,
      eci: verdict.eci,
      ds_transaction_id: is.fn.coalesce(is.val(verdict.dsTransactionId), 'ds_transaction_id'),
      sealed_value: isAuthenticated ? verdict.sealedValue : null,
      expires_at: verdict.expiresAt,
      counted: verdict.counted,
      decided_at: verdict.now,
    }))
    .$if(isAuthenticated, (update) => update.where(unflushed))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface RecordedFailure {
  code: string | null
  component: 'S' | 'D' | 'A' | null
  now: Date
}

/** Records a failure of the 3-D Secure server. */
export async function recordFailure(db: Db, read: Read, { code, component, now }: RecordedFailure): Promise<void> {
  await move(db, read, 'failed').set({ error_code: code, error_component: component, decided_at: now }).execute()
}

export async function recordExpiry(db: Db, read: Read): Promise<void> {
  await move(db, read, 'expire').set({ sealed_value: null }).execute()
}

export async function markChallengeCanceled(db: Db, { businessId, id }: Read, now: Date): Promise<void> {
  await db
    .updateTable('authentication')
    .set({ challenge_canceled_at: now })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'CHALLENGE')
    .where('challenge_canceled_at', 'is', null)
    .execute()
}

/**
 * Claims an inquiry for the result of a challenge.
 *
 * @param since an inquiry after this time is recent enough
 */
export async function claimInquiry(
  db: Db,
  { businessId, id }: Read,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('authentication')
    .set({ inquired_at: now })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'CHALLENGE')
    .where((is) => is.or([is('inquired_at', 'is', null), is('inquired_at', '<=', since)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the authentications that the session has begun, and finds one with this card that the issuer has rejected. */
export async function countBegun(
  db: Db,
  { businessId, sessionId, cardFingerprint }: Pick<Authentication, 'businessId' | 'sessionId' | 'cardFingerprint'>,
): Promise<{ begun: number; rejectedId: string | null }> {
  const row = await db
    .selectFrom('authentication')
    .select((is) => [
      is.fn.countAll<number>().as('begun'),
      sql<
        string | null
      >`max(id::text) filter (where trans_status = 'R' and card_fingerprint = ${cardFingerprint}::bytea)`.as(
        'rejectedId',
      ),
    ])
    .where('business_id', '=', businessId)
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return { begun: Number(row.begun), rejectedId: row.rejectedId }
}

/**
 * Wipes cards and values of authentications that are too old, by the time of their business.
 *
 * @param now real time
 * @param graceSeconds time after the expiry, for a result that is just being recorded
 * @returns how many were wiped
 */
export async function wipeExpired(
  db: Db,
  { now, graceSeconds, limit }: { now: Date; graceSeconds: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update authentication a set state = 'EXPIRED', sealed_card = null, sealed_value = null
    from (
      select o.business_id, o.id from authentication o join business b on b.id = o.business_id
      where (o.sealed_card is not null or o.sealed_value is not null)
        and o.expires_at <= ${now}::timestamptz + make_interval(secs => b.clock_offset_seconds - ${graceSeconds}::int)
      order by o.expires_at limit ${limit} for update of o skip locked
    ) as old
    where a.business_id = old.business_id and a.id = old.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
