import { ok } from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Counted } from '../../test/support/count-wakeups.ts'
import { freePorts } from '../../test/support/free-ports.ts'
import { until } from '../../test/support/until.ts'
import { deleteCluster } from '../db/postgres-place.ts'

const PROGRAM = fileURLToPath(new URL('../main.ts', import.meta.url))
const COUNTER = new URL('../../test/support/count-wakeups.ts', import.meta.url).href
const SECONDS = 8
/** Time for what a start still does, such as the first look at open operations. */
const START_MS = 3_000
/** Seconds of a minute between which the timetable runs nothing. */
const [FIRST_SECOND, LAST_SECOND] = [4, 58]

test('an idle service, with its own PostgreSQL, wakes less than eight times a second and sends next to no statements', {
  skip: process.platform !== 'linux',
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rialto-idle-'))
  const [PORT, DASHBOARD_PORT] = (await freePorts()).map(String)
  const ports = { PORT, DASHBOARD_PORT, SIMULATOR_PORT: '0', OPERATIONS_PORT: '0' }
  const service = fork(PROGRAM, ['serve'], {
    execArgv: ['--import', COUNTER],
    // Set as npm does, so that the service watches for npm's end.
    env: { ...process.env, ...ports, npm_lifecycle_event: 'start', DATABASE_URL: '', RIALTO_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    let output = ''
    service.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    await until('the service is ready', () => output.includes('Rialto is ready.'), 60_000)
    await sleep(START_MS)
    await until('the start is over', () => isQuiet(service))
    await betweenMinutes()
    const before = await counted(service)
    await sleep(SECONDS * 1_000)
    const after = await counted(service)
    const wakeups = after.wakeups - before.wakeups
    const statements = after.statements - before.statements
    ok(wakeups < 8 * SECONDS, `${wakeups} wakeups in ${SECONDS} seconds`)
    // These are a poll for open payments, and maintenance of the queue.
    ok(statements <= 3, `${statements} statements in ${SECONDS} seconds`)
  } finally {
    // The counter listens to the channel, which would keep the process alive.
    service.disconnect()
    if (service.exitCode === null && service.kill('SIGTERM')) await once(service, 'exit')
    deleteCluster(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function counted(service: ChildProcess): Promise<Counted> {
  const reported = once(service, 'message')
  service.send('count')
  const [counts] = (await reported) as [Counted]
  return counts
}

/** Whether a second passes without a statement. A busy machine takes longer for what a start does. */
async function isQuiet(service: ChildProcess): Promise<boolean> {
  const before = await counted(service)
  await sleep(1_000)
  return (await counted(service)).statements === before.statements
}

async function betweenMinutes(): Promise<void> {
  const second = () => new Date().getSeconds()
  while (second() < FIRST_SECOND || second() > LAST_SECOND - SECONDS) await sleep(200)
}
