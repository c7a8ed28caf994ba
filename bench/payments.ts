// Create, pay and whole payments a second: ours beside a bare Fastify server that does the same writes, in alternating rounds.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { load, type Target } from './processes.ts'
import { median, table } from './report.ts'

const OPERATIONS = ['create', 'pay', 'whole'] as const

export interface PaymentsOptions {
  connections: number[]
  rounds: number
  seconds: number
}

/** @param pair the bare server first, ours second */
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

/** PostgreSQL alone, when pgbench is on the machine: the floor under both. */
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

/** Megabytes that a process holds. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
