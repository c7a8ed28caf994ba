import { type SelectQueryBuilder, sql } from 'kysely'
import type { ContractFilters, ContractRow } from '../../../contract/dashboard/contracts-api.ts'
import { customerForm } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import { formOf, hasWords } from '../../db/search.ts'
import type { DB } from '../../db/tables.ts'
import { isUuid } from '../../lib/ids.ts'
import { DESCRIPTION } from '../subscription-brief-queries.ts'

/** An `undefined` field does not filter. */
export interface ContractFilter {
  businessId: string
  status?: ContractRow['status'] | undefined
  customerId?: string | undefined
  search?: string | undefined
}

export function contractFilter(businessId: string, { status, customer, search }: ContractFilters): ContractFilter {
  return { businessId, status, customerId: customer, search }
}

/** Selects the ids of the matching contracts, without an order. */
export function matchingContracts(
  db: Db,
  { businessId, status, customerId, search }: ContractFilter,
): SelectQueryBuilder<DB, 'contract', { id: string }> {
  let query = db.selectFrom('contract').select('contract.id').where('contract.business_id', '=', businessId)
  if (status !== undefined) query = query.where('contract.status', '=', status)
  if (customerId !== undefined) query = query.where('contract.customer_id', '=', customerId)
  if (search === undefined) return query
  if (isUuid(search)) return query.where('contract.id', '=', search)
  const isNamed = hasWords(formOf(sql`title || ' ' || coalesce(signed_name, '')`), search)
  return query.where(sql<boolean>`(${isNamed} or contract.customer_id = any(array(
    select c.id from customer c where c.business_id = ${businessId}::uuid
      and ${hasWords(customerForm('c.'), search)})))`)
}

/** Returns a page of ids, newest first. */
export async function selectContracts(db: Db, filter: ContractFilter, page: PageRequest): Promise<Page<string>> {
  const { businessId } = filter
  const query = matchingContracts(db, filter)
  const { rows, hasMore } = await readPage(db, { table: 'contract', businessId, query }, page)
  return { rows: rows.map(({ id }) => id), hasMore }
}

/** Returns a page of contracts, newest first. */
export async function listContractPage(db: Db, filter: ContractFilter, page: PageRequest): Promise<Page<ContractRow>> {
  const { rows: ids, hasMore } = await selectContracts(db, filter, page)
  return { rows: await findContractRows(db, filter.businessId, ids), hasMore }
}

export async function findContractRow(db: Db, businessId: string, id: string): Promise<ContractRow | undefined> {
  return (await findContractRows(db, businessId, [id]))[0]
}

const seconds = (column: string) => sql.raw(`floor(extract(epoch from ${column}))::integer`)

/** Returns contracts by their ids, newest first. */
export async function findContractRows(db: Db, businessId: string, ids: readonly string[]): Promise<ContractRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ContractRow>`
    select 'contract' as object, k.id, k.title, k.status,
      jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email) as customer, s.id as subscription,
      ${DESCRIPTION} as subscription_description,
      (k.status <> 'signed' and s.status in ('pending_payment_method', 'active', 'paused')) is true as is_awaited,
      ${seconds('k.created_at')} as created, ${seconds('k.sent_at')} as sent_at, ${seconds('k.signed_at')} as signed_at,
      ${seconds('k.voided_at')} as voided_at
    from contract k
    join customer c on c.business_id = k.business_id and c.id = k.customer_id
    left join subscription s on s.business_id = k.business_id and s.contract_id = k.id
    where k.business_id = ${businessId}::uuid and k.id = any(${ids}::uuid[])
    order by k.created_at desc, k.id desc`.execute(db)
  return rows
}
