// Time of a list's statements in PostgreSQL itself, planning included: each is captured from the service's own code and
// explained with its values.
import type pg from 'pg'
import { matchingCustomers } from '../server/dashboard/customers/customers-queries.ts'
import type { PaymentFilter } from '../server/dashboard/payments/payment-filter.ts'
import { countPaymentRows, listPaymentRows } from '../server/dashboard/payments/payment-row-queries.ts'
import type { Db } from '../server/db/connection.ts'
import { openDb } from '../test/support/pool.ts'

const ROUNDS = 15

interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/**
 * Explains the statements.
 *
 * @returns the name of each list with its times
 */
export async function statementRows(
  client: pg.Client,
  databaseUrl: string,
  businessId: string,
): Promise<[string, string][]> {
  const caught: Statement[] = []
  const db = openDb(databaseUrl, ({ query: { sql, parameters } }) => void caught.push({ sql, parameters }))
  const rows: [string, string][] = []
  try {
    for (const [name, run] of await listsOf(client, db, businessId)) {
      caught.splice(0)
      await run()
      rows.push([name, await explained(client, [...caught])])
    }
  } finally {
    await db.destroy()
  }
  return rows
}

type Run = [name: string, run: () => Promise<unknown>]

async function listsOf(client: pg.Client, db: Db, businessId: string): Promise<Run[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from operation where business_id = $1 and parent_id is null order by id
     offset (select count(*) / 50 from operation where business_id = $1) limit 1`,
    [businessId],
  )
  const now = new Date()
  const page = (filter: Omit<PaymentFilter, 'businessId'>, after?: string) => () =>
    listPaymentRows(db, { businessId, ...filter }, { limit: 50, now, ...(after && { starting_after: after }) })
  const since = new Date(now.getTime() - 30 * 86_400_000)
  return [
    ['first page', page({})],
    ['page near the end', page({}, rows[0]?.id)],
    ['status', page({ status: 'failed' })],
    ['status, brand and 30 days', page({ status: 'failed', brand: 'amex', since })],
    ['last four', page({ last4: '7919' })],
    ['amount', page({ amount_from: 2_500, amount_to: 2_500 })],
    ['given back', page({ status: 'refunded' })],
    ['count, up to 10,001', () => countPaymentRows(db, { businessId }, now)],
    ['customers by three letters', () => matchingCustomers(db, { businessId, search: 'tre' }).limit(51).execute()],
  ]
}

async function explained(client: pg.Client, statements: Statement[]): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    let total = 0
    for (const { sql, parameters } of statements) total += await timeOf(client, sql, parameters)
    times.push(total)
  }
  times.sort((a, b) => a - b)
  const [middle = 0, worst = 0] = [times[Math.floor(ROUNDS / 2)], times.at(-1)]
  return `${middle.toFixed(2)} (${worst.toFixed(1)})`
}

async function timeOf(client: pg.Client, sql: string, parameters: readonly unknown[]): Promise<number> {
  const { rows } = await client.query(`explain (analyze, timing off, format json) ${sql}`, [...parameters])
  const [plan] = rows[0]['QUERY PLAN'] as { 'Execution Time': number; 'Planning Time': number }[]
  return (plan?.['Execution Time'] ?? 0) + (plan?.['Planning Time'] ?? 0)
}
