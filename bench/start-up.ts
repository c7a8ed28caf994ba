// Time from the command to "ready", and memory of the idle service.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildBundle } from '../server/server-bundle/build-bundle.ts'
import { freePorts } from '../test/support/free-ports.ts'
import { residentMegabytes } from './payments.ts'
import { median } from './report.ts'

/** The program that `npm start` runs. */
const MAIN = fileURLToPath(new URL('../server/rialto.mjs', import.meta.url))
const IDLE_MS = 3_000

export async function measureStart(rounds: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rialto-bench-'))
  try {
    const first = await start(dataDir)
    // If a start found none, the service builds it ten seconds later.
    await buildBundle()
    await start(dataDir)
    const later: { ms: number; megabytes: number }[] = []
    for (let round = 0; round < rounds; round++) later.push(await start(dataDir))
    console.log('\nStart of the service (installed, bundles built)')
    console.log(`  first, with a new database: ${first.ms} ms; later: ${median(later.map(({ ms }) => ms))} ms`)
    console.log(
      `  resident when idle: ${median(later.map(({ megabytes }) => megabytes))} MB (the service's own process)`,
    )
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function start(dataDir: string): Promise<{ ms: number; megabytes: number }> {
  const [port, dashboardPort, operationsPort] = await freePorts()
  const env = {
    ...process.env,
    RIALTO_DATA_DIR: dataDir,
    PORT: String(port),
    DASHBOARD_PORT: String(dashboardPort),
    OPERATIONS_PORT: String(operationsPort),
    SIMULATOR_PORT: '0',
    LOG_LEVEL: 'error',
  }
  const began = performance.now()
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('is ready')) break
  const ms = Math.round(performance.now() - began)
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const megabytes = residentMegabytes(child.pid ?? 0)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
  return { ms, megabytes }
}
