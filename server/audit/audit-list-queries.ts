import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import type { Actor } from './actor.ts'
import type { AuditEntry } from './audit.ts'

/** An entry as it is stored. */
export interface KeptEntry extends Omit<AuditEntry, 'action'> {
  id: string
  /** One of `AuditAction`, or of an earlier version's actions. */
  action: string
  /** Number of the entry in the log of its business, from 1 and without gaps. */
  number: number
  /** Time of the entry, in real time. */
  createdAt: Date
}

export interface AuditFilter {
  businessId: string
  /** Time zone of the days below. */
  timeZone: string
  /** Finds only entries of this user; `null` for all. */
  onlyUser: string | null
  actor?: string | undefined
  /** An action such as `api_key.create`, or a noun such as `api_key` for all of its actions. */
  action?: string | undefined
  objectId?: string | undefined
  outcome?: AuditEntry['outcome'] | undefined
  /** `YYYY-MM-DD`, like `to`; both days included. */
  from?: string | undefined
  to?: string | undefined
}

const COLUMNS = [
  'business_id as businessId',
  'id',
  'number',
  'created_at as createdAt',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'object_type',
  'object_id',
  'before',
  'after',
  'outcome',
  'request_id',
  'ip',
  'user_agent',
] as const

/** Selects the entries that match a filter, without an order. */
export function auditEntries(db: Db, filter: AuditFilter) {
  const { businessId, timeZone, onlyUser, actor, action, objectId, outcome, from, to } = filter
  return db
    .selectFrom('audit_entry')
    .where('business_id', '=', businessId)
    .$if(onlyUser !== null, (query) => query.where('actor_kind', '=', 'person').where('actor_id', '=', onlyUser))
    .$if(actor !== undefined, (query) => query.where('actor_id', '=', actor ?? ''))
    .$if(action !== undefined, (query) => query.where(isAction(action ?? '')))
    .$if(objectId !== undefined, (query) => query.where('object_id', '=', objectId ?? ''))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', midnight(from ?? '', timeZone, 0)))
    .$if(to !== undefined, (query) => query.where('created_at', '<', midnight(to ?? '', timeZone, 1)))
}

const isAction = (action: string) =>
  action.includes('.') ? sql<boolean>`action = ${action}` : sql<boolean>`starts_with(action, ${`${action}.`})`

const midnight = (day: string, timeZone: string, later: number) =>
  sql<Date>`((${day}::date + ${later}::int)::timestamp at time zone ${timeZone}::text)`

/** Lists entries, newest first. */
export async function listAudit(db: Db, filter: AuditFilter, page: PageRequest): Promise<Page<KeptEntry>> {
  const { businessId } = filter
  const query = auditEntries(db, filter).select(COLUMNS)
  const { rows, hasMore } = await readPage(db, { table: 'audit_entry', businessId, query }, page)
  return { rows: rows.map(entryFrom), hasMore }
}

/** @param before number of an entry; only older ones are read */
export async function readAudit(
  db: Db,
  filter: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<KeptEntry[]> {
  const rows = await auditEntries(db, filter)
    .select(COLUMNS)
    .$if(before !== null, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(entryFrom)
}

export async function findAuditEntry(db: Db, filter: AuditFilter, id: string): Promise<KeptEntry | null> {
  const row = await auditEntries(db, filter).select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row ? entryFrom(row) : null
}

interface Row {
  businessId: string
  id: string
  number: number
  createdAt: Date
  actor_kind: string
  actor_id: string | null
  actor_name: string | null
  action: string
  object_type: string | null
  object_id: string | null
  before: unknown
  after: unknown
  outcome: string
  request_id: string | null
  ip: string | null
  user_agent: string | null
}

function entryFrom(row: Row): KeptEntry {
  const { businessId, id, number, createdAt, action, object_type: type, object_id: objectId } = row
  return {
    businessId,
    id,
    number,
    createdAt,
    action,
    actor: {
      kind: row.actor_kind as Actor['kind'],
      id: row.actor_id,
      name: row.actor_name,
      ip: row.ip,
      userAgent: row.user_agent,
      requestId: row.request_id,
    },
    object: type === null || objectId === null ? null : { type, id: objectId },
    before: row.before as KeptEntry['before'],
    after: row.after as KeptEntry['after'],
    outcome: row.outcome as KeptEntry['outcome'],
  }
}
