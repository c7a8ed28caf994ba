import { moneyRows } from './money-rows.ts'
import type { TestService } from './service.ts'

/** What each settled batch holds here, and at the gateway. */
export async function heldBy({ service }: { service: TestService }): Promise<{ ours: string[][]; theirs: string[][] }> {
  await using book = moneyRows(service.databaseUrl)
  const members = await book.query<{ name: string; ref: string }>(
    `select b.gateway_batch as name, o.merchant_ref as ref from batch b
       join payment p on p.batch_id = b.id join operation o on o.id = p.operation_id where b.status = 'settled'
     union all
     select b.gateway_batch, o.merchant_ref from batch b
       join refund r on r.batch_id = b.id join operation o on o.id = r.id where b.status = 'settled'`,
  )
  const rows = (await service.simulator.rows()).filter(
    ({ op, approvedAmount, state }) => op !== 'void' && op !== 'settle' && approvedAmount > 0 && state !== 'voided',
  )
  const settled = new Set(
    (await book.query<{ name: string }>("select gateway_batch as name from batch where status = 'settled'")).map(
      ({ name }) => name,
    ),
  )
  const grouped = (all: [name: string, ref: string][]) =>
    [...settled].sort().map((wanted) => all.flatMap(([name, ref]) => (name === wanted ? [ref] : [])).sort())
  return {
    ours: grouped(members.map(({ name, ref }) => [name, ref])),
    theirs: grouped(rows.map(({ batch = '', merchantRef }) => [batch, merchantRef])),
  }
}
