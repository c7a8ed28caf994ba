// The merchant dashboard of a large business: lists, search, home and calendar over HTTP and in the database, the
// export of a million payments, and what a person waits for in a real Chromium. Each figure is shown with its budget
// (DSH-22).
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { buildDashboard } from '../server/browser-bundle/build-dashboard.ts'
import { type Case, listCases, type Times, timeOf } from './dashboard-lists.ts'
import { measureDashboardPages } from './dashboard-pages.ts'
import { fillCustomers, fillPayments, indexReferences } from './dashboard-rows.ts'
import { type DashboardSession, signIn } from './dashboard-session.ts'
import { statementRows } from './dashboard-statements.ts'
import { loadRequests, type Target } from './processes.ts'
import { table } from './report.ts'

export interface DashboardOptions {
  /** Numbers of payments, in ascending order. */
  sizes: number[]
  /** Number of rounds for the pages in a browser. */
  rounds: number
}

const PEOPLE = 20

export async function measureDashboard(target: Target, databaseUrl: string, options: DashboardOptions): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const session = await signIn(target)
  const report = new Map<string, { one: Case; times: Times[] }>()
  const statements = new Map<string, string[]>()
  try {
    await seeded(`customers and subscriptions`, () => fillCustomers(client, target.businessId))
    let filled = 0
    for (const size of options.sizes) {
      await seeded(`${size} payments`, () => fillPayments(client, target.businessId, filled + 1, size))
      await seeded('references', () => indexReferences(databaseUrl))
      filled = size
      for (const one of await listCases(client, target.businessId)) {
        const known = report.get(one.name) ?? { one, times: [] }
        report.set(one.name, { one, times: [...known.times, await timeOf(one, session)] })
      }
      for (const [name, text] of await statementRows(client, databaseUrl, target.businessId))
        statements.set(name, [...(statements.get(name) ?? []), text])
    }
    printLists(report, options.sizes)
    const heads = ['in the database, ms p50 (worst)', ...options.sizes.map(String), 'budget']
    console.log(
      `\n${table(
        heads,
        [...statements].map(([name, texts]) => [name, ...texts, name.startsWith('home') ? '150' : '5 (50)']),
      )}`,
    )
    await printPeople(session)
    await printExport(session, target.pid)
  } finally {
    await client.end()
  }
  await printBytes()
  await measureDashboardPages(session, options.rounds)
}

async function seeded(what: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  console.log(`seeded ${what}: ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const shown = ({ p50, p99 }: Times) => `${ms(p50)} / ${ms(p99)}`
const verdict = (isWithin: boolean) => (isWithin ? 'yes' : 'NO')

function printLists(report: ReadonlyMap<string, { one: Case; times: Times[] }>, sizes: number[]): void {
  const rows = [...report.values()].map(({ one: { name, budget }, times }) => {
    const isWithin = times.every(({ p50, p99 }) => p50 <= budget.p50 && p99 <= budget.p99)
    return [name, ...times.map(shown), `${budget.p50} / ${budget.p99}`, verdict(isWithin)]
  })
  const heads = sizes.map((size) => `${size} payments`)
  console.log('\nThe dashboard over HTTP, one call after another: ms p50 / p99')
  console.log(table(['call', ...heads, 'budget', 'within'], rows))
}

async function printPeople({ url, businessId, headers }: DashboardSession): Promise<void> {
  const path = `/dashboard/api/b/${businessId}/payments?limit=50`
  const load = { url, method: 'GET' as const, headers, connections: PEOPLE, seconds: 3 }
  const { p50, p99, perSecond } = await loadRequests({ ...load, paths: [path] })
  const isWithin = p50 <= 15 && p99 <= 60
  console.log(
    `\nThe first page of payments for ${PEOPLE} people who never pause: ${perSecond} /s, ${shown({ p50, p99 })} ms`,
  )
  console.log(`  (budget 15 / 60 with pauses; within without them: ${verdict(isWithin)})`)
}

/** Measures an export of all rows with all columns. */
async function printExport({ url, businessId, headers }: DashboardSession, pid: number): Promise<void> {
  const before = residentMb(pid)
  let [rows, peak, firstMs] = [-1, 0, 0]
  const began = performance.now()
  const path = `${url}/dashboard/api/b/${businessId}/payments/export`
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: '{}',
  })
  if (response.status !== 200 || !response.body) throw new Error(`The export was refused: ${await response.text()}`)
  let sampledAt = began
  for await (const block of response.body) {
    firstMs ||= performance.now() - began
    for (const byte of block) if (byte === 10) rows++
    if (performance.now() - sampledAt < 100) continue
    sampledAt = performance.now()
    peak = Math.max(peak, residentMb(pid) - before)
  }
  const perSecond = Math.round(rows / ((performance.now() - began) / 1_000))
  console.log(
    `\n${table(
      ['export as CSV', 'measured', 'budget', 'within'],
      [
        ['rows', String(rows), '', ''],
        ['rows a second', String(perSecond), '20000', verdict(perSecond >= 20_000)],
        ['first byte, ms', ms(firstMs), '1000', verdict(firstMs <= 1_000)],
        ['memory more, MB', ms(peak), '80', verdict(peak <= 80)],
      ],
    )}`,
  )
}

function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1_024
}

async function printBytes(): Promise<void> {
  const { sizes, files } = await buildDashboard()
  const kb = (bytes: number) => (bytes / 1_024).toFixed(1)
  console.log(
    `\n${table(
      ['bytes, gzipped KB', 'measured', 'budget', 'within'],
      [
        ['scripts until the first list', kb(sizes.script), '215', verdict(sizes.script <= 215 * 1_024)],
        ['styles', kb(sizes.style), '25', verdict(sizes.style <= 25 * 1_024)],
        [`largest page: ${sizes.page.name}`, kb(sizes.page.bytes), '35', verdict(sizes.page.bytes <= 35 * 1_024)],
        [`all ${files.length} files`, kb(files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)), '', ''],
      ],
    )}`,
  )
}
