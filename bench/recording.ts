// What recording webhooks costs a payment: the statement of an event, and a whole payment, with and without an
// endpoint.
import { loadavg } from 'node:os'
import type pg from 'pg'
import { connect } from '../server/db/connection.ts'
import { run, statement } from '../server/db/statement.ts'
import { newEvent } from '../server/events/event.ts'
import { eventsMembers, eventsValues } from '../server/events/event-queries.ts'
import { newId } from '../server/lib/ids.ts'
import { type Cost, costBetween, type MeasuredDatabase, read } from './cost.ts'
import { load, type Target } from './processes.ts'
import { median, table } from './report.ts'
import { insertEndpoint, withDatabase } from './webhook-rows.ts'

/** Values by the number of the business's endpoints. */
type ByEndpoints<Value> = Record<0 | 1, Value>

interface Recording {
  cost: Cost
  p50: number
}

const processorMs = ({ cost: { nodeMs, postgresMs } }: Recording) => nodeMs + postgresMs
const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** Measures recording and fan-out only: no worker runs. */
export async function measureRecording(
  target: Target,
  database: MeasuredDatabase,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<void> {
  const done = await payInPairs(target, database, { pairs, seconds })
  const row = (endpoints: 0 | 1) => {
    const of = (what: (one: Recording) => number) => median(done.map((pair) => what(pair[endpoints]))).toFixed(2)
    return [String(endpoints), of(({ p50 }) => p50), of(processorMs), of(({ cost }) => cost.logKilobytes)]
  }
  const ratios = done.map((pair) => processorMs(pair[1]) / processorMs(pair[0])).sort((a, b) => a - b)
  const load1 = (loadavg()[0] ?? 0).toFixed(1)
  console.log(
    `\nA whole payment, by endpoints of its business, without a worker: ${pairs} pairs of rounds, load ${load1}`,
  )
  console.log(table(['endpoints', 'p50 ms', 'processor ms', 'log KB'], [row(0), row(1)]))
  console.log(
    `processor time with one endpoint: ${median(ratios).toFixed(3)} of that with none, ` +
      `half of the pairs from ${at(ratios, 0.25).toFixed(3)} to ${at(ratios, 0.75).toFixed(3)}`,
  )
  const statements = await timeStatement(database.url)
  const added = statements[1] - statements[0]
  const share = (added / 1_000 / median(done.map((pair) => processorMs(pair[0])))) * 100
  console.log(
    `the statement of an event: ${statements[0].toFixed(0)} µs, with one endpoint ${statements[1].toFixed(0)} µs; ` +
      `what is added is ${share.toFixed(1)} % of the processor time of a payment`,
  )
}

/** Pays in a round without an endpoint and one with it, which alternate in their order. */
async function payInPairs(
  target: Target,
  database: MeasuredDatabase,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<ByEndpoints<Recording>[]> {
  return await withDatabase(database.url, async (client) => {
    const id = await insertEndpoint(client, target.businessId, 'http://127.0.0.1:9999/')
    const pay = async (endpoints: 0 | 1): Promise<Recording> => {
      const deletedAt = endpoints ? null : new Date()
      await client.query('update webhook_endpoint set deleted_at = $1 where id = $2', [deletedAt, id])
      const before = await read(target, database)
      const result = await load(target, { operation: 'whole', connections: 8, seconds, payer: 'known' })
      return { cost: costBetween(before, await read(target, database), result.done), p50: result.p50 }
    }
    const done: ByEndpoints<Recording>[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const first = pair % 2 === 0 ? await pay(0) : await pay(1)
      const second = pair % 2 === 0 ? await pay(1) : await pay(0)
      done.push(pair % 2 === 0 ? { 0: first, 1: second } : { 0: second, 1: first })
    }
    return done
  })
}

const EXECUTIONS = 8_000
const WARM_UP = 1_000
/** Data as long as those of a session. */
const DATA = { object: { text: 'x'.repeat(1_400) } }

const RECORD = statement(
  'bench_record',
  (p) => `with ${eventsMembers(p, '(select 1)')} select ${p.businessId}::uuid from recorded`,
)

/**
 * Measures the statement. Executions without and with an endpoint alternate one by one, and the fastest quarter of each
 * is compared, so that other work on the machine has little effect. Their commits do not wait for the disk.
 *
 * @returns microseconds
 */
async function timeStatement(url: string): Promise<ByEndpoints<number>> {
  const database = connect({ url, max: 1 })
  const businessIds = { 0: newId(), 1: newId() }
  const times: ByEndpoints<number[]> = { 0: [], 1: [] }
  try {
    await withDatabase(url, (client: pg.Client) => insertEndpoint(client, businessIds[1], 'http://127.0.0.1:9999/'))
    await database.pool.query('set synchronous_commit = off')
    for (let done = 0; done < EXECUTIONS; done++) {
      const endpoints = done % 2 === 0 ? 0 : 1
      const businessId = businessIds[endpoints]
      const type = 'checkout.session.completed'
      const event = newEvent({ businessId, type, objectId: newId(), data: DATA, createdAt: new Date() })
      const values = { businessId, ...eventsValues([event]) }
      const began = performance.now()
      await run(database.db, RECORD, values)
      if (done >= WARM_UP) times[endpoints].push((performance.now() - began) * 1_000)
    }
  } finally {
    await database.close()
  }
  const quick = (list: number[]) =>
    at(
      list.sort((a, b) => a - b),
      0.25,
    )
  return { 0: quick(times[0]), 1: quick(times[1]) }
}
