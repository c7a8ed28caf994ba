// Create, pay and whole payments per second: ours compared with a bare Fastify server that does the same writes, in
// alternating rounds.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cost, costBetween, hotShare, type MeasuredDatabase, read } from './cost.ts'
import type { Payer } from './load-program.ts'
import { load, type Target } from './processes.ts'
import { median, table } from './report.ts'

const OPERATIONS = ['create', 'pay', 'whole'] as const

export interface PaymentsOptions {
  connections: number[]
  rounds: number
  seconds: number
}

/**
 * Measures payments.
 *
 * @param pair the bare server first, ours second
 */
export async function measurePayments(
  title: string,
  pair: [bare: Target, ours: Target],
  options: PaymentsOptions,
): Promise<void> {
  const rows: string[][] = []
  for (const connections of options.connections) {
    for (const operation of OPERATIONS) rows.push(await measure(operation, connections, pair, options))
  }
  console.log(`\n${title}: medians of ${options.rounds} alternating rounds of ${options.seconds} s`)
  console.log(
    table(
      [
        'operation',
        'clients',
        'bare /s (low to high)',
        'ours /s (low to high)',
        'ours / bare',
        'bare p50/p99 ms',
        'ours p50/p99 ms',
        'p99 ratio',
        'failed',
      ],
      rows,
    ),
  )
}

async function measure(
  operation: (typeof OPERATIONS)[number],
  connections: number,
  pair: [Target, Target],
  { rounds, seconds }: PaymentsOptions,
): Promise<string[]> {
  const results: [number[], number[]] = [[], []]
  const p50: [number[], number[]] = [[], []]
  const p99: [number[], number[]] = [[], []]
  let failed = 0
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const result = await load(pair[side], { operation, connections, seconds, makeTokens: 5_000 * seconds })
      results[side].push(result.perSecond)
      p50[side].push(result.p50)
      p99[side].push(result.p99)
      failed += result.failed
    }
  }
  const [bare, ours] = results.map(median) as [number, number]
  const spread = (values: number[]) => `${median(values)} (${Math.min(...values)} to ${Math.max(...values)})`
  return [
    operation,
    String(connections),
    spread(results[0]),
    spread(results[1]),
    (ours / bare).toFixed(2),
    `${median(p50[0])} / ${median(p99[0])}`,
    `${median(p50[1])} / ${median(p99[1])}`,
    (median(p99[1]) / median(p99[0])).toFixed(2),
    String(failed),
  ]
}

const PAYERS: [name: string, payer: Payer][] = [
  ['known customer', 'known'],
  ['new customer', 'new'],
  ['new customer, card kept', 'kept'],
  ['declined', 'declined'],
]

const COST_HEADS = [
  'payment',
  'clients',
  'ours / bare',
  'bare Node + PostgreSQL',
  'ours Node + PostgreSQL',
  'ratio',
  'log bare, ours',
  'HOT',
]

/**
 * Measures processor time and WAL of a whole payment, by payer: both servers share a PostgreSQL, so each is measured
 * while the other is idle. HOT shares are those of our own tables.
 *
 * @param pair the bare server first, ours second
 */
export async function measureCosts(
  pair: [bare: Target, ours: Target],
  databases: [bare: MeasuredDatabase, ours: MeasuredDatabase],
  { connections, rounds, seconds }: PaymentsOptions,
): Promise<void> {
  const rows: string[][] = []
  for (const clients of connections.filter((count) => count > 1)) {
    for (const [name, payer] of PAYERS) rows.push(await measureCost(name, payer, clients))
  }
  console.log(
    `\nWhat a whole payment costs: medians of ${rounds} alternating rounds of ${seconds} s, milliseconds and kilobytes`,
  )
  console.log(table(COST_HEADS, rows))

  async function measureCost(name: string, payer: Payer, clients: number): Promise<string[]> {
    const costs: [Cost[], Cost[]] = [[], []]
    const perSecond: [number[], number[]] = [[], []]
    const begin = await read(pair[1], databases[1])
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const before = await read(pair[side], databases[side])
        // The bare server does not have customers and declines.
        const what = { operation: 'whole', connections: clients, seconds, payer: side === 1 ? payer : 'known' } as const
        const result = await load(pair[side], what)
        if (result.failed > 0) throw new Error(`${result.failed} payments failed: ${name}`)
        costs[side].push(costBetween(before, await read(pair[side], databases[side]), result.done))
        perSecond[side].push(result.perSecond)
      }
    }
    // Counters of updates are reported within a second of the last update.
    await sleep(1_500)
    const end = await read(pair[1], databases[1])
    const of = (side: 0 | 1, part: keyof Cost) => median(costs[side].map((cost) => cost[part]))
    const sum = (side: 0 | 1) => of(side, 'nodeMs') + of(side, 'postgresMs')
    const shown = (side: 0 | 1) => `${of(side, 'nodeMs').toFixed(2)} + ${of(side, 'postgresMs').toFixed(2)}`
    return [
      name,
      String(clients),
      (median(perSecond[1]) / median(perSecond[0])).toFixed(2),
      shown(0),
      shown(1),
      (sum(1) / sum(0)).toFixed(2),
      `${of(0, 'logKilobytes').toFixed(1)}, ${of(1, 'logKilobytes').toFixed(1)}`,
      hotShare(begin, end),
    ]
  }
}

/** Measures PostgreSQL alone, if pgbench is on the machine: the lower limit for both. */
export function measureFloor(databaseUrl: string, seconds: number): void {
  const rows: string[][] = []
  for (const [name, script] of [
    ['create', 'session.sql'],
    ['whole, three commits', 'payment.sql'],
  ] as const) {
    for (const clients of [1, 8]) {
      const file = new URL(`./floor/${script}`, import.meta.url).pathname
      const run = spawnSync(
        'pgbench',
        ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', file, databaseUrl],
        { encoding: 'utf8' },
      )
      if (run.error) {
        console.log('\nPostgreSQL alone: pgbench is not on this machine')
        return
      }
      rows.push([name, String(clients), /tps = (\d+)/.exec(run.stdout)?.[1] ?? run.stderr])
    }
  }
  console.log('\nPostgreSQL alone (pgbench)')
  console.log(table(['operation', 'clients', 'a second'], rows))
}

/** Returns the resident memory of a process, in megabytes. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
