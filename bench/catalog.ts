// Lists and single reads of the merchant API with ever more rows of the business: ours beside a bare Fastify route with
// the same query on the same tables, in alternating rounds.
import pg from 'pg'
import { loadRequests, type Target } from './processes.ts'
import { median, table } from './report.ts'
import type { LoadResult } from './timed.ts'

export interface CatalogOptions {
  rows: number[]
  connections: number
  rounds: number
  seconds: number
}

interface Case {
  name: string
  method: 'GET' | 'POST'
  /** Paths below the collection. */
  tails: string[]
  body?: string
}

const PRODUCT = JSON.stringify({ name: 'Gold plan', metadata: { tier: 'gold' } })

/**
 * Measures lists and single reads.
 *
 * @param pair the bare server first, ours second, on one database
 */
export async function measureCatalog(
  databaseUrl: string,
  pair: [bare: Target, ours: Target],
  options: CatalogOptions,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const [, { businessId }] = pair
  const report: string[][] = []
  try {
    for (const count of options.rows) {
      await fillTo(client, businessId, count)
      for (const what of await casesAt(client, businessId))
        report.push([String(count), ...(await measure(what, pair, options))])
    }
  } finally {
    await client.end()
  }
  const { connections, rounds, seconds } = options
  console.log(`\nMerchant API, ${connections} clients: medians of ${rounds} alternating rounds of ${seconds} s`)
  const heads = ['rows', 'request', 'bare /s', 'ours /s', 'ours / bare', 'bare p50/p99 ms', 'ours p50/p99 ms', 'failed']
  console.log(table(heads, report))
}

/** Inserts products with one price each, a second apart. */
async function fillTo(client: pg.Client, businessId: string, count: number): Promise<void> {
  // The role's timeout would end the insertion of a million rows.
  await client.query('set statement_timeout = 0')
  const missing = `from generate_series((select count(*) from product where business_id = $1), $2::bigint - 1) n`
  const at = `timestamptz '2020-01-01' + n * interval '1 second'`
  await client.query(
    `insert into product (business_id, id, name, active, metadata, created_at, updated_at)
     select $1, gen_random_uuid(), 'Product ' || n, n % 100 = 0, '{"tier": "gold"}', ${at}, ${at} ${missing}`,
    [businessId, count],
  )
  await client.query(
    `insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count,
       active, metadata, created_at, updated_at)
     select business_id, gen_random_uuid(), id, 2500, 'USD', 'month', 1, true, '{}', created_at, created_at from product
     where business_id = $1 and not exists (select from price where price.business_id = $1 and price.product_id = product.id)`,
    [businessId],
  )
  await client.query('vacuum analyze product')
  await client.query('vacuum analyze price')
}

async function casesAt(client: pg.Client, businessId: string): Promise<Case[]> {
  const idsAt = async (share: number, many: number) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from product where business_id = $1 order by created_at desc, id desc
       offset (select floor(count(*) * $2::float8) from product where business_id = $1) limit $3`,
      [businessId, share, many],
    )
    return rows.map(({ id }) => id)
  }
  const after = (ids: string[]) => ids.map((id) => `?starting_after=${id}`)
  return [
    { name: 'list 10, newest', method: 'GET', tails: [''] },
    { name: 'list 10, from the middle', method: 'GET', tails: after(await idsAt(0.5, 40)) },
    { name: 'list 10, near the end', method: 'GET', tails: after(await idsAt(0.8, 15)) },
    { name: 'retrieve one, with its price', method: 'GET', tails: (await idsAt(0, 1_000)).map((id) => `/${id}`) },
    { name: 'create', method: 'POST', tails: [''], body: PRODUCT },
  ]
}

async function measure(
  { name, method, tails, body }: Case,
  pair: [Target, Target],
  { rounds, connections, seconds }: CatalogOptions,
): Promise<string[]> {
  const results: [LoadResult[], LoadResult[]] = [[], []]
  const paths: [string, string] = [`/${pair[1].businessId}/products`, '/api/v1/products']
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { url, apiKey } = pair[side]
      const headers = { authorization: `Bearer ${apiKey}` }
      const what = { url, method, headers, connections, seconds, ...(body !== undefined && { bodies: [body] }) }
      results[side].push(await loadRequests({ ...what, paths: tails.map((tail) => paths[side] + tail) }))
    }
  }
  const middle = (side: 0 | 1, of: keyof LoadResult) => median(results[side].map((result) => result[of]))
  return [
    name,
    String(middle(0, 'perSecond')),
    String(middle(1, 'perSecond')),
    (middle(1, 'perSecond') / middle(0, 'perSecond')).toFixed(2),
    `${middle(0, 'p50')} / ${middle(0, 'p99')}`,
    `${middle(1, 'p50')} / ${middle(1, 'p99')}`,
    String(results.flat().reduce((sum, { failed }) => sum + failed, 0)),
  ]
}
