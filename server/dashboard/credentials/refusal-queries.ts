import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { DB } from '../../db/tables.ts'
import { countUpTo } from '../count-queries.ts'
import type { DayRange } from '../day-range.ts'
import type { RefusedRequest } from '../refused-request.ts'

const ADDRESSES_MAX = 20

export interface WhichRefusals extends DayRange {
  businessId: string
  /** An `undefined` field does not filter. */
  code: string | undefined
  credentialId: string | undefined
  ip: string | undefined
}

/** A refused call with the name of its key or client; `null` if that is gone. */
export type ListedRefusal = RefusedRequest & { credentialName: string | null }

const refusalsOf = (db: Db, { businessId, code, credentialId, ip, since, until }: WhichRefusals) =>
  db
    .selectFrom('refused_request')
    .where('refused_request.business_id', '=', businessId)
    .$if(code !== undefined, (query) => query.where('code', '=', code ?? ''))
    .$if(credentialId !== undefined, (query) => query.where('credential_id', '=', credentialId ?? ''))
    .$if(ip !== undefined, (query) => query.where('ip', '=', ip ?? ''))
    .$if(since !== null, (query) => query.where('created_at', '>=', since as Date))
    .$if(until !== null, (query) => query.where('created_at', '<', until as Date))

/** Lists refused calls, newest first, with the name of the key or client. */
export async function listRefusals(db: Db, which: WhichRefusals, page: PageRequest): Promise<Page<ListedRefusal>> {
  const query = refusalsOf(db, which).select([
    'business_id as businessId',
    'id',
    'created_at as createdAt',
    'method',
    'path',
    'status',
    'code',
    'param',
    sql<RefusedRequest['credentialKind']>`credential_kind`.as('credentialKind'),
    sql<string>`credential_id`.as('credentialId'),
    'ip',
    'request_id as requestId',
    sql<string | null>`case credential_kind
      when 'api_key' then (select name from api_key
        where api_key.business_id = refused_request.business_id and api_key.id::text = credential_id)
      else (select name from oauth_client
        where oauth_client.business_id = refused_request.business_id and oauth_client.id::text = credential_id)
      end`.as('credentialName'),
  ])
  return readPage(db, { table: 'refused_request', businessId: which.businessId, query }, page)
}

export function countRefusals(db: Db, which: WhichRefusals): Promise<number> {
  const query = refusalsOf(db, which).select('id')
  return countUpTo(db, query as SelectQueryBuilder<DB, 'refused_request', { id: string }>)
}

/** Lists the addresses that access tokens were refused from, the newest refusal first. */
export async function listRefusedAddresses(
  db: Db,
  { businessId, since }: { businessId: string; since: Date },
): Promise<{ address: string; calls: number; lastAt: Date }[]> {
  const rows = await db
    .selectFrom('refused_request')
    .select('ip as address')
    .select(({ fn }) => [fn.countAll<number>().as('calls'), fn.max('created_at').as('lastAt')])
    .where('business_id', '=', businessId)
    .where('created_at', '>=', since)
    .where('credential_kind', '=', 'oauth_client')
    .where('code', '=', 'ip_not_allowed')
    .groupBy('ip')
    .orderBy('lastAt', 'desc')
    .limit(ADDRESSES_MAX)
    .execute()
  return rows.map((row) => ({ ...row, calls: Number(row.calls) }))
}
