import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { newId } from '../../lib/ids.ts'
import { FINDING_KINDS, type Finding, type FindingKind, type RecordedFinding } from './finding.ts'
import type { TerminalDay } from './reconciliation-queries.ts'

/**
 * Inserts a finding, or updates the one that exists. A finding resolved by a comparison is reopened; one resolved by a
 * person is reopened only if its values have changed since.
 *
 * @returns `isNew` if the finding was not open before
 */
export async function recordFinding(
  db: Db,
  { terminal, day }: TerminalDay,
  finding: Finding,
  now: Date,
): Promise<{ id: string; isNew: boolean }> {
  const { kind, subject, transactionKind, operationId, merchantRef, gatewayRef, currency } = finding
  const { ourState, ourAmount, gatewayState, gatewayAmount } = finding
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    with before as (
      select id, state = 'RESOLVED' and (resolved_by = 'comparison'
        or (our_state, our_amount, gateway_state, gateway_amount) is distinct from
          (${ourState}::text, ${ourAmount}::bigint, ${gatewayState}::text, ${gatewayAmount}::bigint)) as reopens
      from reconciliation_finding
      where business_id = ${terminal.businessId} and terminal_id = ${terminal.id} and kind = ${kind} and subject = ${subject}
      for update
    ), changed as (
      update reconciliation_finding f set day = ${day}::date, seen_at = ${now}, our_state = ${ourState}, our_amount = ${ourAmount},
        gateway_state = ${gatewayState}, gateway_amount = ${gatewayAmount},
        state = case when reopens then 'OPEN' else f.state end,
        found_at = case when reopens then ${now}::timestamptz else f.found_at end,
        resolved_at = case when not reopens then f.resolved_at end,
        resolved_by = case when not reopens then f.resolved_by end
      from before where f.business_id = ${terminal.businessId} and f.id = before.id
      returning f.id, reopens
    ), added as (
      insert into reconciliation_finding (business_id, id, terminal_id, day, kind, subject, transaction_kind, operation_id,
        merchant_ref, gateway_ref, our_state, our_amount, gateway_state, gateway_amount, currency, found_at, seen_at)
      select ${terminal.businessId}::uuid, ${newId()}::uuid, ${terminal.id}::uuid, ${day}::date, ${kind}, ${subject}, ${transactionKind},
        ${operationId}::uuid, ${merchantRef}, ${gatewayRef}, ${ourState}, ${ourAmount}::bigint, ${gatewayState}, ${gatewayAmount}::bigint,
        ${currency}, ${now}::timestamptz, ${now}::timestamptz
      where not exists (select from before)
      on conflict do nothing returning id
    )
    select id, reopens as "isNew" from changed union all select id, true from added`.execute(db)
  return rows[0] ?? { id: '', isNew: false }
}

/** Keeps the open findings of an operation that cannot be compared now. */
export async function keepFindings(db: Db, { terminal }: TerminalDay, operationId: string, now: Date): Promise<void> {
  await sql`update reconciliation_finding set seen_at = ${now}
    where business_id = ${terminal.businessId} and terminal_id = ${terminal.id} and operation_id = ${operationId}
      and state = 'OPEN'`.execute(db)
}

/** Resolves the open findings of a day that the comparison begun at `since` did not find again. */
export async function resolveVanished(
  db: Db,
  { terminal, day }: TerminalDay,
  { since, now }: { since: Date; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update reconciliation_finding set state = 'RESOLVED', resolved_at = ${now}, resolved_by = 'comparison'
    where business_id = ${terminal.businessId} and terminal_id = ${terminal.id} and day = ${day}::date
      and state = 'OPEN' and seen_at < ${since}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** @returns whether the finding was open */
export async function resolveFinding(db: Db, id: string, note: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update reconciliation_finding set state = 'RESOLVED', resolved_at = ${now}, resolved_by = 'person', note = ${note}
    where id = ${id} and state = 'OPEN'`.execute(db)
  return numAffectedRows === 1n
}

export interface FindingFilter {
  businessId?: string | undefined
  day?: string | undefined
  withResolved: boolean
  limit: number
}

/** Lists findings, newest first. */
export async function listFindings(db: Db, filter: FindingFilter): Promise<RecordedFinding[]> {
  const { businessId = null, day = null, withResolved, limit } = filter
  const { rows } = await sql<RecordedFinding>`
    select f.id, f.business_id as "businessId", f.day::text as day, t.merchant_code as "merchantCode", f.kind, f.subject,
      f.transaction_kind as "transactionKind", f.operation_id as "operationId", f.merchant_ref as "merchantRef",
      f.gateway_ref as "gatewayRef", f.our_state as "ourState", f.our_amount as "ourAmount", f.gateway_state as "gatewayState",
      f.gateway_amount as "gatewayAmount", f.currency, f.state, f.found_at as "foundAt", f.resolved_at as "resolvedAt",
      f.resolved_by as "resolvedBy", f.note
    from reconciliation_finding f join terminal t on t.business_id = f.business_id and t.id = f.terminal_id
    where (${businessId}::uuid is null or f.business_id = ${businessId}::uuid) and (${day}::date is null or f.day = ${day}::date)
      and (${withResolved}::boolean or f.state = 'OPEN')
    order by f.found_at desc, f.id desc limit ${limit}`.execute(db)
  return rows
}

/** Counts the open findings by kind, for the alarm. */
export async function countOpenFindings(db: Db): Promise<Record<FindingKind, number>> {
  const { rows } = await sql<{ kind: FindingKind; open: number }>`
    select kind, count(*)::int as open from reconciliation_finding where state = 'OPEN' group by kind`.execute(db)
  const counts = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0])) as Record<FindingKind, number>
  for (const { kind, open } of rows) counts[kind] = open
  return counts
}
