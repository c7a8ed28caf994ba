// Reads of the dashboard of a large business over HTTP, one call after another, and the time of their statements in the
// database.
import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { DashboardSession } from './dashboard-session.ts'

/** Limits in milliseconds for the whole call, as a person waits for it. */
export interface Budget {
  p50: number
  p99: number
}

export interface Case {
  name: string
  /** Paths below the business; calls take them in turn. */
  paths: string[]
  budget: Budget
}

export interface Times {
  p50: number
  p99: number
}

const CALLS_MAX = 100
const CALLS_MIN = 5
const SECONDS_MAX = 1

const LIST: Budget = { p50: 15, p99: 60 }
const HOME: Budget = { p50: 150, p99: 300 }

/** Returns the calls for the rows that are in the database now. */
export async function listCases(client: pg.Client, businessId: string): Promise<Case[]> {
  const ids = await idsOf(client, businessId)
  const list = (name: string, ...paths: string[]): Case => ({ name, paths, budget: LIST })
  const payments = (name: string, ...queries: string[]) =>
    list(`payments: ${name}`, ...queries.map((query) => `/payments?limit=50${query}`))
  const statuses = [
    'succeeded',
    'failed',
    'refunded',
    'partially_refunded',
    'voided',
    'reversed',
    'pending',
    'not_charged',
  ]
  const deep = ids.deep.map((id) => `&starting_after=${id}`)
  return [
    payments('first page', ''),
    payments('page in the middle and near the end', ...deep),
    ...statuses.map((status) => payments(`status ${status}`, `&status=${status}`)),
    payments('status failed, deep', ...deep.map((cursor) => `&status=failed${cursor}`)),
    ...['session', 'subscription', 'sale'].map((kind) => payments(`kind ${kind}`, `&kind=${kind}`)),
    payments('currency', '&currency=cad'),
    payments('brand', '&brand=amex'),
    payments('last four', '&last4=7919', '&last4=0042'),
    payments('amount', '&amount_from=2500&amount_to=2600'),
    payments('code', '&code=NI', '&code=ND'),
    payments('code that nothing has', '&code=NX'),
    payments('trigger', '&trigger=scheduled'),
    payments('open', '&open=true'),
    payments('customer', ...ids.customers.map((id) => `&customer=${id}`)),
    payments('7 days', `&from=${dayAgo(7)}&to=${dayAgo(0)}`),
    payments('30 days and status and brand', `&from=${dayAgo(30)}&status=failed&brand=amex`),
    payments('two that never meet', '&currency=cad&brand=amex', '&currency=cad&kind=sale'),
    payments('kind and amount and currency', '&kind=session&amount_from=2500&currency=cad'),
    list('a payment', ...ids.payments.map((id) => `/payments/${id}`)),
    list('its timeline', ...ids.payments.map((id) => `/payments/${id}/timeline`)),
    ...searches(ids),
    ...otherLists(ids),
  ]
}

function searches({ payments, customers }: Ids): Case[] {
  const search = (name: string, ...texts: string[]) => ({
    name: `search: ${name}`,
    paths: texts.map((text) => `/search?q=${encodeURIComponent(text)}`),
    budget: LIST,
  })
  return [
    search('nothing typed', ''),
    search('id', ...payments, ...customers),
    search('e-mail', 'payer4711@example.com'),
    search('beginning of an e-mail', 'payer471@'),
    search('last four', '7919'),
    search('amount', '25.37'),
    search('text', 'Tremblay', 'Côté 77'),
    search('text that nothing has', 'Zebra'),
    search('receipt', 'R0000004711'),
  ]
}

function otherLists({ customers, deepCustomers, prices }: Ids): Case[] {
  const list = (name: string, ...paths: string[]): Case => ({ name, paths, budget: LIST })
  return [
    list('customers: first page', '/customers?limit=50'),
    list('customers: near the end', ...deepCustomers.map((id) => `/customers?limit=50&starting_after=${id}`)),
    list('customers: three letters', '/customers?limit=50&search=roy', '/customers?limit=50&search=tre'),
    list('customers: one e-mail', '/customers?limit=50&search=payer4711@'),
    list('customers: with a card', '/customers?limit=50&has_card=true'),
    list('customers: with a subscription', '/customers?limit=50&has_subscription=true'),
    list('a customer', ...customers.map((id) => `/customers/${id}`)),
    list('subscriptions: active', '/subscriptions?limit=50&tab=active'),
    list('subscriptions: retrying', '/subscriptions?limit=50&tab=retrying'),
    list(
      'subscriptions: next bill within a week',
      `/subscriptions?limit=50&next_from=${dayAgo(0)}&next_to=${dayAgo(-7)}`,
    ),
    list('subscriptions: price', ...prices.map(({ id }) => `/subscriptions?limit=50&price=${id}`)),
    list('subscriptions: product', ...prices.map(({ product }) => `/subscriptions?limit=50&product=${product}`)),
    list('subscriptions: frequency', '/subscriptions?limit=50&frequency=Weekly'),
    list('subscriptions: frequency that nothing has', '/subscriptions?limit=50&frequency=Quarterly'),
    list('subscriptions: reference', '/subscriptions?limit=50&reference=order-471'),
    list('sessions: first page', '/checkout_sessions?limit=50'),
    list('sessions: reference', '/checkout_sessions?limit=50&reference=Order-471'),
    list('sessions: open', '/checkout_sessions?limit=50&status=PENDING'),
    list('sessions: customer', '/checkout_sessions?limit=50&customer=payer4711@'),
    {
      name: 'calendar: a month of 100,000',
      paths: [`/bills/upcoming?from=${dayAgo(0)}&to=${dayAgo(-35)}`],
      budget: HOME,
    },
    { name: 'calendar: three months', paths: [`/bills/upcoming?from=${dayAgo(0)}&to=${dayAgo(-100)}`], budget: HOME },
    { name: 'calendar: one day', paths: [`/bills/upcoming/day?day=${dayAgo(-3)}`], budget: HOME },
    { name: 'home', paths: ['/home'], budget: HOME },
    list('what needs a person', '/alerts'),
  ]
}

type Ids = Awaited<ReturnType<typeof idsOf>>

async function idsOf(client: pg.Client, businessId: string) {
  const read = async (sql: string) => {
    const { rows } = await client.query<{ id: string }>(sql, [businessId])
    return rows.map(({ id }) => id)
  }
  const sales = `select id from operation where business_id = $1 and parent_id is null order by id`
  const total = (await read(`select count(*)::text as id from operation where business_id = $1`)).map(Number)[0] ?? 0
  return {
    deep: [
      ...(await read(`${sales} offset ${Math.floor(total / 2)} limit 5`)),
      ...(await read(`${sales} offset ${Math.floor(total * 0.02)} limit 5`)),
    ],
    payments: await read('select id from payment where business_id = $1 order by id desc offset 500 limit 20'),
    customers: await read('select id from customer where business_id = $1 order by id offset 500 limit 20'),
    prices: (
      await client.query<{ id: string; product: string }>(
        'select id, product_id as product from price where business_id = $1 limit 5',
        [businessId],
      )
    ).rows,
    deepCustomers: await read('select id from customer where business_id = $1 order by created_at offset 2000 limit 5'),
  }
}

/**
 * Measures calls, one after another.
 *
 * @throws if one is refused
 */
export async function timeOf({ paths }: Pick<Case, 'paths'>, session: DashboardSession): Promise<Times> {
  const times: number[] = []
  // The first call plans the statements, and fills the caches.
  await call(session, paths[0] ?? '')
  const end = performance.now() + SECONDS_MAX * 1_000
  while (times.length < CALLS_MIN || (times.length < CALLS_MAX && performance.now() < end)) {
    const began = performance.now()
    await call(session, paths[times.length % paths.length] ?? '')
    times.push(performance.now() - began)
  }
  return percentiles(times)
}

export function percentiles(times: number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

async function call({ url, businessId, headers }: DashboardSession, path: string): Promise<void> {
  const response = await fetch(`${url}/dashboard/api/b/${businessId}${path}`, { headers })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.slice(0, 200)}`)
}

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
