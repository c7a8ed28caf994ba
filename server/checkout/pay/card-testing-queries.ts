import { type Insertable, type RawBuilder, sql } from 'kysely'
import { setNewCardsRefused } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { RefusedCardAttempt } from '../../db/tables.ts'

/** Earlier attempts with typed cards since a given time. */
export interface EarlierAttempts {
  /** Number of distinct other cards in attempts from this address. */
  otherCards: number
  firstCardAt: Date | null
  /** Number of declines and `duplicate_card` refusals of this card, across all sessions. */
  declines: number
  firstDeclineAt: Date | null
}

export async function findEarlierAttempts(
  db: Db,
  attempt: { businessId: string; payerIpPrefix: string; fingerprint: Buffer; since: Date },
): Promise<EarlierAttempts> {
  const { businessId, payerIpPrefix, fingerprint, since } = attempt
  const { rows } = await sql<EarlierAttempts>`
    select "otherCards", "firstCardAt", declines, "firstDeclineAt" from (
      select count(distinct card_fingerprint)::int as "otherCards", min(attempted_at) as "firstCardAt" from (
        select card_fingerprint, sent_at as attempted_at from operation
        where business_id = ${businessId}::uuid and payer_ip_prefix = ${payerIpPrefix}::text
          and payer_ip_prefix is not null and sent_at > ${since}::timestamptz and kind = 'sale' and stored_card_id is null
        union all select card_fingerprint, attempted_at from refused_card_attempt
        where business_id = ${businessId}::uuid and payer_ip_prefix = ${payerIpPrefix}::text
          and attempted_at > ${since}::timestamptz and stored_card_id is null
      ) as of_address where card_fingerprint <> ${fingerprint}::bytea
    ) as cards, (
      select count(*)::int as declines, min(attempted_at) as "firstDeclineAt" from (
        select declined_at as attempted_at from operation
        where business_id = ${businessId}::uuid and card_fingerprint = ${fingerprint}::bytea
          and declined_at is not null and declined_at > ${since}::timestamptz and stored_card_id is null
        union all select attempted_at from refused_card_attempt
        where business_id = ${businessId}::uuid and card_fingerprint = ${fingerprint}::bytea
          and attempted_at > ${since}::timestamptz and stored_card_id is null
      ) as of_card
    ) as declined`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A count without a row')
  return row
}

/**
 * Counts the declines and refused attempts of a stored card on sessions since a given time. Typed attempts and
 * merchant-initiated sales do not count.
 */
export async function findStoredCardDeclines(
  db: Db,
  attempt: { businessId: string; storedCardId: string; fingerprint: Buffer; since: Date },
): Promise<Pick<EarlierAttempts, 'declines' | 'firstDeclineAt'>> {
  const { businessId, storedCardId, fingerprint, since } = attempt
  const { rows } = await sql<Pick<EarlierAttempts, 'declines' | 'firstDeclineAt'>>`
    select count(*)::int as declines, min(attempted_at) as "firstDeclineAt" from (
      select declined_at as attempted_at from operation
      where business_id = ${businessId}::uuid and card_fingerprint = ${fingerprint}::bytea
        and declined_at is not null and declined_at > ${since}::timestamptz and stored_card_id = ${storedCardId}::uuid
        and owner_kind = 'session'
      union all select attempted_at from refused_card_attempt
      where business_id = ${businessId}::uuid and card_fingerprint = ${fingerprint}::bytea
        and attempted_at > ${since}::timestamptz and stored_card_id = ${storedCardId}::uuid
    ) as of_card`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A count without a row')
  return row
}

export async function insertRefusedCardAttempt(db: Db, attempt: Insertable<RefusedCardAttempt>): Promise<void> {
  await db.insertInto('refused_card_attempt').values(attempt).execute()
}

export async function deleteRefusedCardAttempts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('refused_card_attempt').where('attempted_at', '<', before).execute()
}

/** Whether any payment from this address was approved. */
export async function hasPaid(db: Db, businessId: string, payerIpPrefix: string): Promise<boolean> {
  const row = await db
    .selectFrom('operation')
    .select('id')
    .where('business_id', '=', businessId)
    .where('payer_ip_prefix', '=', payerIpPrefix)
    .where('kind', '=', 'sale')
    .where('state', '=', 'APPROVED')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Refuses new cards of a business if too many of the attempts since a given time were declined.
 *
 * More than half are declined exactly when there are fewer other outcomes than declines, so at most that many are
 * counted, however many payments a business has.
 *
 * @returns whether this call started the refusal; `false` if it was already in force
 */
export async function refuseNewCards(
  db: Db,
  { businessId, since, now, until, declinesMax }: BurstRule & { businessId: string },
): Promise<boolean> {
  const attempts = (
    condition: RawBuilder<unknown>,
    most: RawBuilder<unknown>,
  ) => sql`(select count(*)::int as found from (
      select from operation where sent_at > ${since}::timestamptz and business_id = ${businessId}::uuid
        and owner_kind = 'session' and kind = 'sale' and ${condition} limit ${most}) as counted)`
  const { rows } = await sql`
    with declined as ${attempts(DECLINED, sql`${DECLINES_COUNTED_MAX}::int`)},
      others as ${attempts(sql`not ${DECLINED}`, sql`(select found from declined)`)}
    ${setNewCardsRefused(
      { businessId, now, until },
      sql`(select found from declined) > ${declinesMax}::int
      and (select found from others) < (select found from declined)`,
    )}`.execute(db)
  return rows.length > 0
}

export interface BurstRule {
  since: Date
  now: Date
  until: Date
  declinesMax: number
}

/** Whether an operation was declined by the issuer, or by the policy of the business (PAY-29). */
const DECLINED = sql`(state = 'DECLINED' or (code = 'N7' and state in ('REVERSING', 'REVERSED')))`

/** A business with this many declines in ten minutes is under attack or has another serious problem. */
const DECLINES_COUNTED_MAX = 1_000
