import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { LetterKind } from '../../contract/letters.ts'
import type { Locale } from '../../contract/payment-page.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import type { DB } from '../db/tables.ts'
import type { Tx } from '../db/transaction.ts'
import type { ClaimedLetter, Letter, NewLetter } from './letter.ts'
import { wakeLetterWorkers } from './letter-wakes.ts'

/** Due time of a letter that is to be sent immediately. */
const DUE_NOW = '-infinity'

/**
 * Inserts letters, which a worker sends once the transaction has committed. An existing letter of the same
 * notification, kind and recipient stays unchanged.
 */
export async function insertLetters(tx: Tx, letters: readonly NewLetter[]): Promise<void> {
  if (letters.length === 0) return
  const rows = letters.map((letter) => ({
    business_id: letter.businessId,
    id: letter.id,
    notification_id: letter.notificationId,
    kind: letter.kind,
    audience: letter.audience,
    recipient: letter.recipient,
    sender_name: letter.senderName,
    reply_to: letter.replyTo,
    locale: letter.locale,
    subject: letter.subject,
    html: letter.html,
    body_text: letter.text,
    invoice_id: letter.invoiceId,
    object_id: letter.objectId,
    customer_id: letter.customerId,
    link_id: letter.linkId,
    sealed_link: letter.sealedLink,
    status: 'pending' as const,
    due_at: sql<Date>`${DUE_NOW}::timestamptz`,
    created_at: letter.createdAt,
  }))
  await tx
    .insertInto('letter')
    .values(rows)
    .onConflict((conflict) => conflict.constraint('letter_once').doNothing())
    .execute()
  wakeLetterWorkers()
}

const SUMMARY = [
  'letter.business_id as businessId',
  'letter.id',
  'letter.kind',
  'letter.audience',
  'letter.recipient',
  'letter.subject',
  'letter.status',
  'letter.created_at as createdAt',
] as const
const COLUMNS = [
  ...SUMMARY,
  'letter.notification_id as notificationId',
  'letter.sender_name as senderName',
  'letter.reply_to as replyTo',
  'letter.locale',
  'letter.html',
  'letter.body_text as text',
  'letter.invoice_id as invoiceId',
  'letter.object_id as objectId',
  'letter.customer_id as customerId',
  'letter.link_id as linkId',
  'letter.sealed_link as sealedLink',
  'letter.attempts',
  'letter.first_attempt_at as firstAttemptAt',
  'letter.last_error as lastError',
  'letter.finished_at as finishedAt',
] as const

/** Narrows types: `kind` and `locale` are checked where letters are composed. */
const typed = <Row extends { kind: string; locale: string }>(row: Row) => ({
  ...row,
  kind: row.kind as LetterKind,
  locale: row.locale as Locale,
})

export interface LetterClaim {
  /** Current time, in real time. */
  now: Date
  /**
   * End of the lease, before which no other worker takes the letter. After it, the process is assumed to have ended.
   */
  leaseUntil: Date
  limit: number
}

/** Updates due letters, longest waiting first, skipping those that another worker is claiming. */
const updateDue = (db: Db, now: Date, limit: number) =>
  db
    .with('due', (cte) =>
      cte
        .selectFrom('letter')
        .select(['business_id', 'id'])
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('letter')
    .from('due')
    .whereRef('letter.business_id', '=', 'due.business_id')
    .whereRef('letter.id', '=', 'due.id')

/** Claims due letters, longest waiting first. Each claim counts as an attempt and invalidates earlier ones. */
export async function claimLetters(db: Db, { now, leaseUntil, limit }: LetterClaim): Promise<ClaimedLetter[]> {
  const rows = await updateDue(db, now, limit)
    .set({
      due_at: leaseUntil,
      attempts: sql`letter.attempts + 1`,
      first_attempt_at: sql`coalesce(letter.first_attempt_at, ${now}::timestamptz)`,
    })
    .returning(COLUMNS)
    .execute()
  return rows.map((row) => ({ ...typed(row), firstAttemptAt: row.firstAttemptAt ?? now }))
}

type Claimed = Pick<ClaimedLetter, 'businessId' | 'id' | 'attempts'>

/** Updates the row of a claimed letter, as long as no later claim has taken it over. */
const claimed = (db: Db, { businessId, id, attempts }: Claimed) =>
  db
    .updateTable('letter')
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')

/** @returns whether the claim was still valid */
export async function finishLetter(
  db: Db,
  letter: Claimed,
  { status, error = null, now }: { status: 'sent' | 'failed'; error?: string | null; now: Date },
): Promise<boolean> {
  const set = { status, due_at: null, last_error: error, finished_at: now, sealed_link: null }
  return (await claimed(db, letter).set(set).executeTakeFirst()).numUpdatedRows === 1n
}

/** Schedules another attempt for a claimed letter. @returns whether the claim was still valid */
export async function retryLetter(
  db: Db,
  letter: Claimed,
  { error, dueAt }: { error: string; dueAt: Date },
): Promise<boolean> {
  return (await claimed(db, letter).set({ due_at: dueAt, last_error: error }).executeTakeFirst()).numUpdatedRows === 1n
}

/** Marks due letters as kept instead of sending them (LTR-15). @returns how many */
export async function keepLetters(db: Db, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const { numUpdatedRows } = await updateDue(db, now, limit)
    .set({ status: 'kept', due_at: null, finished_at: now })
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export type LetterSummary = Pick<
  Letter,
  'businessId' | 'id' | 'kind' | 'audience' | 'recipient' | 'subject' | 'status' | 'createdAt'
> & { businessName: string; timeZone: string }

const withBusiness = <Row>(query: SelectQueryBuilder<DB, 'letter', Row>) =>
  query
    .innerJoin('business', 'business.id', 'letter.business_id')
    .select(['business.name as businessName', 'business.time_zone as timeZone'])

/** Reader of letters. */
export interface LetterReader {
  /**
   * Address of the person whose letters are shown besides those to customers and merchants; `null` shows no letters to
   * people.
   */
  email: string | null
  /** At least one business; `null` means all. */
  businessIds: readonly string[] | null
}

/** Links in letters to people grant access to whoever has them, so each person reads only their own (DSH-20). */
const readableBy =
  ({ email, businessIds }: LetterReader) =>
  (one: ExpressionBuilder<DB, 'letter'>) =>
    one.and([
      ...(businessIds ? [one('letter.business_id', 'in', businessIds)] : []),
      one.or([
        one('letter.audience', '<>', 'person'),
        ...(email === null ? [] : [one('letter.recipient', '=', email)]),
      ]),
    ])

/** Lists letters for the mailbox of staging, newest first. @param reader `null` reads everything */
export async function listLetters(
  db: Db,
  { limit, before, reader }: { limit: number; before: string | null; reader: LetterReader | null },
): Promise<LetterSummary[]> {
  const all = db.selectFrom('letter').select(SUMMARY)
  const query = withBusiness(reader ? all.where(readableBy(reader)) : all)
  const rows = await (before === null ? query : query.where('letter.id', '<', before))
    .orderBy('letter.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as LetterKind }))
}

interface MemberReader {
  businessId: string
  email: string
}

const ofBusiness = (db: Db, { businessId, email }: MemberReader) =>
  db.selectFrom('letter').where(readableBy({ email, businessIds: [businessId] }))

/** Lists letters of one business for the mailbox of its dashboard, newest first. */
export async function listLettersOf(
  db: Db,
  reader: MemberReader,
  page: PageRequest,
): Promise<Page<Omit<LetterSummary, 'businessName' | 'timeZone'>>> {
  const { businessId } = reader
  const query = ofBusiness(db, reader).select(SUMMARY)
  const { rows, hasMore } = await readPage(db, { table: 'letter', businessId, query }, page)
  return { rows: rows.map((row) => ({ ...row, kind: row.kind as LetterKind })), hasMore }
}

/** Counts letters, up to a limit. */
export async function countLettersOf(db: Db, reader: MemberReader, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(ofBusiness(db, reader).select('id').limit(limit).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds a letter by its id alone, for the mailbox of staging. @param reader `null` reads everything */
export async function findLetterOfAny(
  db: Db,
  id: string,
  reader: LetterReader | null,
): Promise<(Letter & Pick<LetterSummary, 'businessName' | 'timeZone'>) | null> {
  const all = db.selectFrom('letter').select(COLUMNS).where('letter.id', '=', id)
  const row = await withBusiness(reader ? all.where(readableBy(reader)) : all).executeTakeFirst()
  return row ? typed(row) : null
}

export async function findLetter(db: Db, businessId: string, id: string): Promise<Letter | null> {
  const row = await db
    .selectFrom('letter')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? typed(row) : null
}

/** Finds the oldest letter that waits to be sent. */
export async function findOldestPending(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('letter')
    .select('id')
    .where('due_at', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Deletes letters that were sent, kept or given up before that time. @returns how many */
export async function deleteLetters(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { numDeletedRows } = await db
    .with('old', (cte) =>
      cte
        .selectFrom('letter')
        .select(['business_id', 'id'])
        .where('finished_at', '<', before)
        .orderBy('finished_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('letter')
    .using('old')
    .whereRef('letter.business_id', '=', 'old.business_id')
    .whereRef('letter.id', '=', 'old.id')
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
