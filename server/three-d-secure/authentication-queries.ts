import type { QueryCreator } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { DB } from '../db/tables.ts'
import { unflushed } from '../db/unflushed.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Authentication } from './authentication.ts'
import type { MessageVersion } from './three-ds-server.ts'

export type NewAuthentication = Pick<
  Authentication,
  | 'businessId'
  | 'id'
  | 'sessionId'
  | 'source'
  | 'cardFingerprint'
  | 'storedCardId'
  | 'amount'
  | 'currency'
  | 'createdAt'
  | 'expiresAt'
>

/** Inserts an authentication before the card is looked up, so that lookups are counted too. */
export async function insertAuthentication(db: Db, made: NewAuthentication): Promise<void> {
  await db
    .insertInto('authentication')
    .values({
      business_id: made.businessId,
      id: made.id,
      session_id: made.sessionId,
      state: 'STARTED',
      source: made.source,
      card_fingerprint: made.cardFingerprint,
      stored_card_id: made.storedCardId,
      amount: made.amount,
      currency: made.currency,
      created_at: made.createdAt,
      expires_at: made.expiresAt,
    })
    .execute()
}

const COLUMNS = [
  'business_id as businessId',
  'id',
  'session_id as sessionId',
  'state',
  'source',
  'card_fingerprint as cardFingerprint',
  'stored_card_id as storedCardId',
  'amount',
  'currency',
  'server_transaction_id as serverTransactionId',
  'message_version as messageVersion',
  'method_url as methodUrl',
  'method_done_at as methodDoneAt',
  'challenge_url as challengeUrl',
  'acs_transaction_id as acsTransactionId',
  'ds_transaction_id as dsTransactionId',
  'challenge_window as challengeWindow',
  'challenge_opened_at as challengeOpenedAt',
  'challenge_returned_at as challengeReturnedAt',
  'challenge_canceled_at as challengeCanceledAt',
  'trans_status as transStatus',
  'trans_status_reason as transStatusReason',
  'cardholder_info as cardholderInfo',
  'error_code as errorCode',
  'error_component as errorComponent',
  'eci',
  'operation_id as operationId',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'looked_up_at as lookedUpAt',
  'sent_at as sentAt',
  'challenged_at as challengedAt',
  'inquired_at as inquiredAt',
  'decided_at as decidedAt',
] as const

/** Selects authentications whose card was looked up. Before that, an authentication only counts. */
const lookedUp = (db: Db) => db.selectFrom('authentication').select(COLUMNS).where('looked_up_at', 'is not', null)

export async function findAuthentication(
  db: Db,
  { businessId, sessionId, id }: Pick<Authentication, 'businessId' | 'sessionId' | 'id'>,
): Promise<Authentication | undefined> {
  const row = await lookedUp(db)
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row && toAuthentication(row)
}

/** Finds an authentication for the bank's pages, which name it by its id alone (`authenticationIdOf`). */
export async function findAuthenticationById(db: Db, id: string): Promise<Authentication | undefined> {
  const row = await lookedUp(db).where('id', '=', id).executeTakeFirst()
  return row && toAuthentication(row)
}

type Place = Pick<Authentication, 'businessId' | 'id'>

/** Records that the issuer's method has notified. Changes nothing after the request was sent. */
export async function markMethodDone(db: Db, { businessId, id }: Place, now: Date): Promise<void> {
  await db
    .updateTable('authentication')
    .set({ method_done_at: now })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .where('method_done_at', 'is', null)
    .where(unflushed)
    .execute()
}

/** Whether the request still waits to be sent, and the issuer's method has not notified. */
export async function isMethodOutstanding(db: Db, { businessId, id }: Place): Promise<boolean> {
  const row = await db
    .selectFrom('authentication')
    .select('id')
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .where('method_done_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records that the browser loads the challenge. It may load it again.
 *
 * @param challengedSince a challenge that began earlier is too old to be opened for the first time now
 * @returns whether it may be shown
 */
export async function markChallengeOpened(
  db: Db,
  { businessId, id }: Place,
  { now, challengedSince }: { now: Date; challengedSince: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('authentication')
    .set((is) => ({ challenge_opened_at: is.fn.coalesce('challenge_opened_at', is.val(now)) }))
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'CHALLENGE')
    .where((is) => is.or([is('challenge_opened_at', 'is not', null), is('challenged_at', '>', challengedSince)]))
    .where(unflushed)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the browser came back from the challenge: a hint to ask for the result (TDS-7). */
export async function markChallengeReturned(db: Db, { businessId, id }: Place, now: Date): Promise<void> {
  await db
    .updateTable('authentication')
    .set({ challenge_returned_at: now })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('state', '=', 'CHALLENGE')
    .where('challenge_returned_at', 'is', null)
    .where(unflushed)
    .execute()
}

type Row = { [Name in keyof Authentication]: unknown }

/** Columns that the database does not type contain only values of these types. */
const toAuthentication = (row: Row): Authentication => row as Authentication

export interface AuthenticationUse {
  businessId: string
  sessionId: string
  /** `null` means any authentication of the session. */
  id: string | null
  cardFingerprint: Buffer
  amount: Cents
  currency: Currency
  /** Id of the sale or the verification that uses the authentication. */
  operationId: string
  /** Current time in the business's time. */
  now: Date
  /** Limit of age: earlier decisions are too old. */
  decidedAfter: Date
}

export interface UsedAuthentication {
  id: string
  messageVersion: MessageVersion
  transStatus: 'Y' | 'A'
  eci: string | null
  dsTransactionId: string | null
  serverTransactionId: string
  sealedValue: Buffer | null
}

/**
 * Takes the newest unused authentication of the session for this card, amount and currency. Only one of several
 * concurrent calls gets it. This wipes its value.
 */
export async function consumeAuthentication(db: Db, use: AuthenticationUse): Promise<UsedAuthentication | undefined> {
  const row = await db
    .with('usable', (with_) =>
      newestFor(with_, use)
        .select(['business_id', 'id', 'sealed_value'])
        .where('state', '=', 'AUTHENTICATED')
        .where('decided_at', '>', use.decidedAfter)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('authentication')
    .from('usable')
    .set({ state: 'CONSUMED', sealed_value: null, operation_id: use.operationId, consumed_at: use.now })
    .whereRef('authentication.business_id', '=', 'usable.business_id')
    .whereRef('authentication.id', '=', 'usable.id')
    .returning([
      'authentication.id',
      'authentication.message_version as messageVersion',
      'authentication.trans_status as transStatus',
      'authentication.eci',
      'authentication.ds_transaction_id as dsTransactionId',
      'authentication.server_transaction_id as serverTransactionId',
      'usable.sealed_value as sealedValue',
    ])
    .executeTakeFirst()
  return row as UsedAuthentication | undefined
}

/**
 * Time within which a charge records its intent after taking the authentication; later means that the process has died.
 */
const INTENT_SECONDS = 5

/**
 * Finds the charge of another request that is taking, or has just taken, the authentication.
 *
 * @returns `operationId` is `null` while it is being taken
 */
export async function findRecentUse(
  db: Db,
  use: AuthenticationUse,
): Promise<{ operationId: string | null } | undefined> {
  return newestFor(db, use)
    .select('operation_id as operationId')
    .where(({ and, eb, or }) =>
      or([
        and([eb('state', '=', 'AUTHENTICATED'), eb('decided_at', '>', use.decidedAfter)]),
        and([eb('state', '=', 'CONSUMED'), eb('consumed_at', '>', addSeconds(use.now, -INTENT_SECONDS))]),
      ]),
    )
    .executeTakeFirst()
}

const newestFor = (db: QueryCreator<DB>, use: AuthenticationUse) =>
  db
    .selectFrom('authentication')
    .where('business_id', '=', use.businessId)
    .where('session_id', '=', use.sessionId)
    .$if(use.id !== null, (query) => query.where('id', '=', use.id ?? ''))
    .where('card_fingerprint', '=', use.cardFingerprint)
    .where('amount', '=', use.amount)
    .where('currency', '=', use.currency)
    .orderBy('created_at', 'desc')
    .limit(1)
