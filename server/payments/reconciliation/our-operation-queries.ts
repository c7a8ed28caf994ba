import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { OurOperation } from './finding.ts'
import type { ReconciledTerminal } from './reconciliation-queries.ts'

/** Conditions for voids and refunds: the gateway does not distinguish our reversals from those of the merchant. */
const IS_VOID = (alias: 'o' | 'u') => sql`${sql.raw(alias)}.kind in ('void', 'reversal_void')`
const IS_REFUND = (alias: 'o' | 'u') => sql`${sql.raw(alias)}.kind in ('refund', 'reversal_refund')`
const TRANSACTION_KIND = sql`case when ${IS_VOID('o')} then 'void' when ${IS_REFUND('o')} then 'refund' else 'sale' end`

const COLUMNS = sql`o.business_id as "businessId", o.terminal_id as "terminalId", o.id, ${TRANSACTION_KIND} as kind, o.state,
  o.merchant_ref as "merchantRef", o.gateway_ref as "gatewayRef", o.amount, o.currency,
  o.state in ('SENT', 'IN_DOUBT') or coalesce(reversed.is_open, false) as "isOpen",
  coalesce(reversed.is_voided, false) as "isVoided", coalesce(reversed.refunded, 0)::bigint as "refundedAmount"`

/** Join that adds up the voids and refunds of an operation. */
const UNDONE = sql`left join lateral (
    select bool_or(u.state in ('SENT', 'IN_DOUBT')) as is_open,
      bool_or(${IS_VOID('u')} and u.state = 'APPROVED') as is_voided,
      sum(u.amount) filter (where ${IS_REFUND('u')} and u.state = 'APPROVED') as refunded
    from operation u where u.business_id = o.business_id and u.owner_id = o.owner_id and (u.lost or u.parent_id is not null)
      and u.parent_id = o.id
  ) reversed on true`

/**
 * Finds operations by reference, also those of another terminal that shares the account at the gateway.
 *
 * @param merchantRefs references as the gateway lists them
 */
export async function findByReference(
  db: Db,
  { gateway, merchantCode }: ReconciledTerminal,
  merchantRefs: string[],
): Promise<Map<string, OurOperation>> {
  const { rows } = await sql<OurOperation>`select ${COLUMNS}
    from terminal t join operation o on o.business_id = t.business_id and o.terminal_id = t.id ${UNDONE}
    where t.gateway = ${gateway} and t.merchant_code = ${merchantCode} and o.merchant_ref = any(${merchantRefs}::text[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.merchantRef, row]))
}

export async function findAgain(db: Db, { businessId, id }: OurOperation): Promise<OurOperation | undefined> {
  const rows = await select(db, sql`o.business_id = ${businessId} and o.id = ${id}`)
  return rows[0]
}

export interface UnlistedSpan {
  runId: string
  /** The range of `sent_at`: inclusive, while `until` is exclusive. */
  from: Date
  until: Date
  /** An operation with a later deadline may still appear at the gateway. */
  deadlineBefore: Date
  /** The last id of the previous page. */
  after: string | null
  limit: number
}

/**
 * Lists approved operations of a time range, except voided ones, that a comparison has not found in the gateway's list.
 */
export function listUnlisted(db: Db, terminal: ReconciledTerminal, span: UnlistedSpan): Promise<OurOperation[]> {
  const { runId, from, until, deadlineBefore, after, limit } = span
  return select(
    db,
    sql`o.business_id = ${terminal.businessId} and o.terminal_id = ${terminal.id}
      and o.sent_at >= ${from} and o.sent_at < ${until} and o.deadline_at <= ${deadlineBefore}
      and (o.kind = 'sale' or ${IS_REFUND('o')}) and o.state = 'APPROVED' and not coalesce(reversed.is_voided, false)
      and not exists (select from reconciliation_listed l where l.business_id = o.business_id and l.run_id = ${runId} and l.operation_id = o.id)
      and (${after}::uuid is null or o.id > ${after}::uuid)
    order by o.id limit ${limit}`,
  )
}

async function select(db: Db, where: RawBuilder<unknown>): Promise<OurOperation[]> {
  const { rows } = await sql<OurOperation>`select ${COLUMNS} from operation o ${UNDONE} where ${where}`.execute(db)
  return rows
}
