import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'
import type { Contract } from '../contract.ts'
import { type ContractJson, contractFrom } from '../contract-row.ts'

const FIND = statement(
  'find_contract',
  (p) => `select to_jsonb(c) as contract, (select s.id from subscription s
      where s.business_id = c.business_id and s.contract_id = c.id) as subscription_id
    from contract c where c.business_id = ${p.businessId}::uuid and c.id = ${p.id}::uuid`,
)

/** Contract with the id of the subscription it is linked to. */
export interface FoundContract {
  contract: Contract
  subscriptionId: string | null
}

export async function findContract(db: Db, businessId: string, id: string): Promise<FoundContract | undefined> {
  const [row] = await run<{ contract: ContractJson; subscription_id: string | null }>(db, FIND, { businessId, id })
  return row && { contract: contractFrom(row.contract), subscriptionId: row.subscription_id }
}

const LIST = statement(
  'list_contracts',
  (p) => `select to_jsonb(c) as contract from contract c where c.business_id = ${p.businessId}::uuid
    order by c.created_at desc, c.id desc limit ${p.limit}::integer`,
)

/** Lists the newest contracts. */
export async function listContracts(db: Db, businessId: string, limit: number): Promise<Contract[]> {
  const rows = await run<{ contract: ContractJson }>(db, LIST, { businessId, limit })
  return rows.map(({ contract }) => contractFrom(contract))
}

const INSERT = statement(
  'insert_contract',
  (p) => `insert into contract (business_id, id, customer_id, status, title, body, created_at)
    values (${p.businessId}::uuid, ${p.id}::uuid, ${p.customerId}::uuid, 'draft', ${p.title}::text, ${p.text}::text,
      ${p.createdAt}::timestamptz)`,
)

export async function insertContract(db: Db, contract: Contract): Promise<void> {
  const { businessId, id, customerId, title, text, createdAt } = contract
  await run(db, INSERT, { businessId, id, customerId, title, text, createdAt })
}

const CHANGE = statement(
  'change_contract',
  (
    p,
  ) => `update contract set status = ${p.status}::contract_status, signed_name = ${p.name}::text, signed_ip = ${p.ip}::text,
      signed_at = ${p.signedAt}::timestamptz, team_seen_there = ${p.teamSeenThere}::boolean,
      sent_at = case when ${p.status}::text = 'sent' then ${p.now}::timestamptz else sent_at end,
      voided_at = case when ${p.status}::text = 'void' then ${p.now}::timestamptz else voided_at end
    where business_id = ${p.businessId}::uuid and id = ${p.id}::uuid and status = ${p.before}::contract_status
    returning id`,
)

/** @returns `false` if the contract no longer has the status `before` */
export async function changeStatus(
  db: Db,
  before: Contract,
  { status, signature }: Pick<Contract, 'status' | 'signature'>,
  now: Date,
): Promise<boolean> {
  const { businessId, id } = before
  const { name = null, ip = null, at: signedAt = null, teamSeenThere = null } = signature ?? {}
  return (
    (await run(db, CHANGE, { businessId, id, status, name, ip, signedAt, teamSeenThere, before: before.status, now }))
      .length > 0
  )
}
