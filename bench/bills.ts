// Bills charged per second by one worker, compared with `pay` in the same run, and the cost of a run when nothing is
// due.
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { pino } from 'pino'
import { createApp } from '../server/app/app.ts'
import { readConfig } from '../server/config.ts'
import { directSimulatorGateway } from '../server/gateway/adapters/simulator/direct-simulator-gateway.ts'
import { openSimulator } from '../server/gateway/simulator/simulator.ts'
import { newId } from '../server/lib/ids.ts'
import type { Cents } from '../server/lib/money.ts'
import { runDue } from '../server/subscriptions/bills/run-due-bills.ts'
import { type Day, dayOf } from '../server/subscriptions/plan/calendar.ts'
import { rowOfSubscription } from '../server/subscriptions/stored-rows.ts'
import type { Subscription } from '../server/subscriptions/subscription.ts'
import { subscriptionOf } from '../test/support/subscription-of.ts'
import { instantGateway } from './instant-gateway.ts'
import { load, type Target } from './processes.ts'
import { median, table } from './report.ts'

export interface BillsOptions {
  /** Numbers of subscriptions that exist. */
  totals: number[]
  due: number
  rounds: number
  seconds: number
}

/** Number of rows that one statement inserts. */
const PORTION = 20_000
const IDLE_RUNS = 20
const ZONE = 'America/Toronto'

/**
 * Measures bills.
 *
 * @param ours the service, which serves `pay` and has stored the card
 * @param databaseUrl database of the same service
 */
export async function measureBills(ours: Target, databaseUrl: string, options: BillsOptions): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const services = await openWorker(databaseUrl)
  const template = await templateOf(client, ours.businessId)
  const { rounds, due } = options
  const rows: string[][] = []
  try {
    for (const total of options.totals) rows.push(await measure(total))
  } finally {
    await services.close()
    await client.end()
  }
  console.log(`\nBills, ${due} due at once, gateway in the process: medians of ${rounds} rounds (low to high)`)
  const heads = ['subscriptions', 'bills /s', 'pay /s, 8 clients', 'bills / pay', 'run with nothing due, ms']
  console.log(table(heads, rows))

  async function measure(total: number): Promise<string[]> {
    await fillTo(client, template, total)
    const [bills, pays]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      pays.push(
        (
          await load(ours, {
            operation: 'pay',
            connections: 8,
            seconds: options.seconds,
            makeTokens: 5_000 * options.seconds,
          })
        ).perSecond,
      )
      await addUnbilled(client, template, due)
      bills.push(await chargeDue(client, services, due))
    }
    const idle: number[] = []
    for (let runs = 0; runs < IDLE_RUNS; runs++) {
      const began = performance.now()
      if ((await runDue(services)).bills > 0) throw new Error('Something was due')
      idle.push(performance.now() - began)
    }
    const spread = (values: number[]) => `${median(values)} (${Math.min(...values)} to ${Math.max(...values)})`
    return [
      String(total),
      spread(bills),
      spread(pays),
      (median(bills) / median(pays)).toFixed(2),
      median(idle).toFixed(1),
    ]
  }
}

type Worker = ReturnType<typeof createApp>['services'] & { close(): Promise<void> }

const NO_SCRIPT = { file: 'none.js', integrity: '', code: Buffer.from('') }

/** Opens a process with the service's own code and a gateway that responds at once. It does not listen. */
export async function openWorker(databaseUrl: string): Promise<Worker> {
  const simulator = await openSimulator({})
  // The card was stored through the service's own simulator.
  simulator.script.apply({ unknownStoredCards: 'warn' })
  const app = createApp({
    config: readConfig({ RIALTO_RATE_LIMITS: 'off' }),
    databaseUrl,
    masterKeys: [Buffer.alloc(32, 7)],
    gateways: { simulator: instantGateway(directSimulatorGateway(simulator)) },
    library: { current: [], released: [] },
    page: {
      render: () => '',
      headers: () => ({}),
      assets: { ...NO_SCRIPT, wallet: NO_SCRIPT },
    },
    log: pino({ level: 'error' }, pino.destination(2)),
  })
  return { ...app.services, close: () => app.close() }
}

/** Returns a monthly subscription that is due in a year, of the customer whose card the load has stored. */
export async function templateOf(client: pg.Client, businessId: string): Promise<Subscription> {
  const { rows } = await client.query<{ id: string; customer_id: string }>(
    'select id, customer_id from stored_card where business_id = $1 limit 1',
    [businessId],
  )
  const [card] = rows
  if (!card) throw new Error('No card is stored')
  const startDate = dayOf(new Date(), ZONE)
  return subscriptionOf({
    businessId,
    customerId: card.customer_id,
    storedCardId: card.id,
    currency: 'USD',
    amount: 1_000 as Cents,
    startDate,
    paidBills: 0,
    nextPeriodNo: 0,
    nextBillingDate: startDate as Day,
    currentPeriod: null,
    paid: null,
    lastPaymentAt: null,
    latestPaymentId: null,
    dueAt: new Date(Date.now() + 365 * 86_400_000),
    id: newId(),
  })
}

export async function fillTo(client: pg.Client, template: Subscription, total: number): Promise<void> {
  await client.query('set statement_timeout = 0')
  const { rows } = await client.query<{ count: string }>('select count(*) from subscription')
  for (let count = Number(rows[0]?.count); count < total; count += PORTION) {
    await client.query(
      `insert into subscription select r.* from (select gen_random_uuid() as id from generate_series(1, $2::integer)) as made,
         jsonb_populate_record(null::subscription, $1::jsonb || jsonb_build_object('id', made.id)) r`,
      [JSON.stringify(rowOfSubscription(template)), Math.min(PORTION, total - count)],
    )
  }
  await client.query('vacuum analyze subscription')
}

/** Adds subscriptions, each of which is billed once, so that every round bills as many that were not billed before. */
async function addUnbilled(client: pg.Client, template: Subscription, due: number): Promise<void> {
  const { rows } = await client.query<{ all: number; unbilled: number }>(
    'select count(*)::int as all, (count(*) filter (where next_period_no = 0))::int as unbilled from subscription',
  )
  const [{ all, unbilled } = { all: 0, unbilled: 0 }] = rows
  if (unbilled < due) await fillTo(client, template, all + due - unbilled)
}

/**
 * Charges the due bills.
 *
 * @returns bills per second
 */
export async function chargeDue(client: pg.Client, services: Worker, due: number): Promise<number> {
  const today = dayOf(new Date(), ZONE)
  await client.query(
    `update subscription set due_at = $2, next_billing_date = $3, version = version + 1 where id in (
       select id from subscription where next_period_no = 0 limit $1)`,
    [due, new Date(Date.now() - 1_000), today],
  )
  const began = performance.now()
  const { approved, bills } = await runDue(services)
  const perSecond = Math.round(approved / ((performance.now() - began) / 1_000))
  const { rows } = await client.query('select from subscription where due_at <= $1', [new Date()])
  if (rows.length > 0 || approved < bills)
    throw new Error(`${rows.length} of ${due} are still due, ${approved} of ${bills} approved`)
  return perSecond
}
