// What a payment costs: processor time of the server's process and of PostgreSQL, WAL written, and the share of HOT
// updates.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { findCluster } from '../server/db/postgres-place.ts'
import { runningPostmaster } from '../server/db/postgres-process.ts'
import type { Target } from './processes.ts'

/** Duration of a tick: the kernel counts in hundredths of a second. */
const TICK_MS = 10

/** The PostgreSQL under test. */
export interface MeasuredDatabase {
  url: string
  dataDir: string
}

export interface Reading {
  nodeMs: number
  postgresMs: number
  logBytes: number
  updates: Record<string, { all: number; hot: number }>
}

/** Cost of everything since the last reading. */
export interface Cost {
  nodeMs: number
  postgresMs: number
  logKilobytes: number
}

const UPDATED = ['operation', 'checkout_session']

export async function read(target: Pick<Target, 'pid'>, { url, dataDir }: MeasuredDatabase): Promise<Reading> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: log } = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
    )
    const { rows } = await client.query<{ name: string; all: string; hot: string }>(
      `select relname as name, n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = any($1)`,
      [UPDATED],
    )
    return {
      nodeMs: ticks(target.pid)[0] * TICK_MS,
      postgresMs: postgresTicks(dataDir) * TICK_MS,
      logBytes: Number(log[0]?.bytes),
      updates: Object.fromEntries(rows.map(({ name, all, hot }) => [name, { all: Number(all), hot: Number(hot) }])),
    }
  } finally {
    await client.end()
  }
}

export function costBetween(before: Reading, after: Reading, done: number): Cost {
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / done,
    postgresMs: (after.postgresMs - before.postgresMs) / done,
    logKilobytes: (after.logBytes - before.logBytes) / done / 1024,
  }
}

/** Returns the HOT shares as text: `operation 99 %, checkout_session 100 %`. */
export function hotShare(before: Reading, after: Reading): string {
  return Object.entries(after.updates)
    .map(([name, { all, hot }]) => {
      const [allBefore, hotBefore] = [before.updates[name]?.all ?? 0, before.updates[name]?.hot ?? 0]
      const share = all === allBefore ? '–' : `${(((hot - hotBefore) / (all - allBefore)) * 100).toFixed(1)} %`
      return `${name} ${share}`
    })
    .join(', ')
}

/** Sums up the ticks of every process of the server, including ended ones, which their parent has counted. */
function postgresTicks(dataDir: string): number {
  const cluster = findCluster(dataDir)
  const postmaster = cluster === null ? null : runningPostmaster(cluster)
  if (!postmaster) throw new Error('The PostgreSQL of the benchmark is not running')
  const [own, ofEnded] = ticks(postmaster.pid)
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => childTicks(Number(name), postmaster.pid))
  return own + ofEnded + living.reduce((sum, one) => sum + one, 0)
}

function childTicks(pid: number, parent: number): number {
  try {
    const { ppid, own, ofEnded } = statOf(pid)
    return ppid === parent ? own + ofEnded : 0
  } catch {
    // The process ended between the listing and the reading.
    return 0
  }
}

function ticks(pid: number): [own: number, ofEnded: number] {
  const { own, ofEnded } = statOf(pid)
  return [own, ofEnded]
}

/**
 * Reads /proc. After the name in parentheses come state, parent, …; user and system time are the 14th and 15th field,
 * followed by those of children.
 */
function statOf(pid: number): { ppid: number; own: number; ofEnded: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
  const [, ppid = 0, , , , , , , , , , user = 0, system = 0, childUser = 0, childSystem = 0] = fields
  return { ppid, own: user + system, ofEnded: childUser + childSystem }
}
