// Creating, retrieving and listing subscriptions: ours compared with a bare Fastify route with the same reads and
// writes on the same tables, in alternating rounds. Ours charges at the simulator in its process, the bare one does not
// charge.
import pg from 'pg'
import { merchantApiOf } from '../test/support/merchant-api.ts'
import { saveCard } from '../test/support/subscriber.ts'
import { loadRequests, type Target } from './processes.ts'
import { median, table } from './report.ts'
import type { LoadResult } from './timed.ts'

/**
 * Number of customers, more than there are connections, because an identical create is refused while the first one is
 * open.
 */
const CUSTOMERS = 64

interface Case {
  name: string
  method: 'GET' | 'POST'
  tails: string[]
  bodies?: string[]
}

interface Options {
  /** Number of subscriptions of the business. */
  rows: number
  connections: number
  rounds: number
  seconds: number
}

/**
 * Measures subscriptions.
 *
 * @param startBare starts the bare server, once there is a subscription to copy
 */
export async function measureSubscriptions(
  databaseUrl: string,
  ours: Target,
  startBare: () => Promise<Target>,
  options: Options,
): Promise<void> {
  const bodies = await makeSubscribers(ours)
  await merchantApiOf(serviceOf(ours)).made('/subscriptions', JSON.parse(bodies[0] ?? ''))
  const ids = await fillTo(databaseUrl, ours.businessId, options.rows)
  await using bare = await startBare()
  const cases: Case[] = [
    { name: 'create, first bill charged', method: 'POST', tails: [''], bodies },
    { name: 'retrieve one', method: 'GET', tails: ids.map((id) => `/${id}`) },
    { name: 'list 10, newest', method: 'GET', tails: [''] },
    { name: 'list 10, from the middle', method: 'GET', tails: ids.map((id) => `?starting_after=${id}`) },
  ]
  const report: string[][] = []
  for (const one of cases) {
    report.push(await measure(one, [bare, ours], options))
    // The creations have filled tables that were empty when their statements were planned; autovacuum would notice that
    // within a minute.
    await analyze(databaseUrl)
  }
  const { rows, connections, rounds, seconds } = options
  console.log(
    `\nSubscriptions, ${rows} of them, ${connections} clients: medians of ${rounds} alternating rounds of ${seconds} s`,
  )
  const heads = ['request', 'bare /s', 'ours /s', 'ours / bare', 'bare p50/p99 ms', 'ours p50/p99 ms', 'failed']
  console.log(table(heads, report))
}

const serviceOf = ({ url, businessId, apiKey, headers }: Target) => {
  const access_token = headers.authorization?.replace('Bearer ', '') ?? ''
  const demo = { business_id: businessId, api_key: apiKey, access_token } as Parameters<typeof saveCard>[0]['demo']
  return { url, demo }
}

/**
 * Creates customers.
 *
 * @returns the bodies of creates, each for a different customer
 */
async function makeSubscribers(ours: Target): Promise<string[]> {
  const service = serviceOf(ours)
  const api = merchantApiOf(service)
  const { id: product } = await api.made('/products', { name: 'Gold plan' })
  const { id: price } = await api.made('/prices', { product, unit_amount: 2500, recurring: { interval: 'month' } })
  const bodies: string[] = []
  for (let count = 0; count < CUSTOMERS; count++) {
    const { id: customer } = await api.made('/customers', { email: `bench-${count}@example.com` })
    bodies.push(JSON.stringify({ customer, price, payment_method: await saveCard(service, customer), tax_rate: 8.875 }))
  }
  return bodies
}

/**
 * Inserts copies of the first subscription, a second apart.
 *
 * @returns some from the middle
 */
async function fillTo(databaseUrl: string, businessId: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into subscription select r.* from (select * from subscription where business_id = $1 limit 1) s,
       generate_series(1, $2::bigint) n, jsonb_populate_record(null::subscription, to_jsonb(s) || jsonb_build_object(
         'id', gen_random_uuid(), 'created_at', timestamptz '2020-01-01' + n * interval '1 second', 'due_at', null)) r`,
    [businessId, count - 1],
  )
  await client.query('vacuum analyze subscription')
  const { rows } = await client.query<{ id: string }>(
    'select id from subscription where business_id = $1 order by created_at offset $2 limit 200',
    [businessId, Math.floor(count / 2)],
  )
  await client.end()
  return rows.map(({ id }) => id)
}

async function analyze(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

async function measure(
  { name, method, tails, bodies }: Case,
  pair: [bare: Target, ours: Target],
  { rounds, connections, seconds }: Options,
): Promise<string[]> {
  const results: [LoadResult[], LoadResult[]] = [[], []]
  const paths: [string, string] = [`/${pair[1].businessId}/subscriptions`, '/api/v1/subscriptions']
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { url, apiKey } = pair[side]
      const headers = { authorization: `Bearer ${apiKey}` }
      const what = { url, method, headers, connections, seconds, ...(bodies && { bodies }) }
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
