// npm test [-- options of node --test, files or globs]: runs the tests on their own PostgreSQL. Options are `--a=b`.
// With DATABASE_URL they run on that server, in databases that this run creates and drops. With TEST_POOLER=1 they
// connect through a pooler in transaction mode, and the run fails when a statement needs a session.
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { buildLetterTemplate } from '../server/browser-bundle/build-letters.ts'
import { migrate } from '../server/db/migrate.ts'
import { newId } from '../server/lib/ids.ts'
import { bound } from '../test/support/deep.ts'
import { buildDashboardProgram } from '../test/support/dom/build-program.ts'
import { startTransactionPooler } from '../test/support/transaction-pooler.ts'
import { FILES_PER_PROCESS, makeTestQueue, type TestQueue } from './test-queue.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { beginReport } from './time-report.ts'

/** Time limit, twice what a slow machine takes: only a run that hangs is stopped. */
const TIME_LIMIT_MS = bound({ quick: 75, deep: 240 }) * 60_000
const SHUTDOWN_MS = 5_000
/**
 * Number of test processes. Tests wait for part of their time: with two more processes than cores, the cores are busy.
 */
const CONCURRENCY = availableParallelism() + 2
/**
 * Compile cache, which saves each process of a test, and each program that it starts, a third of the CPU time of its
 * start.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/rialto-tests', import.meta.url))
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

const template = `rialto_test_${newId().replaceAll('-', '')}`
let tests: ChildProcess | null = null
let interrupted: number | null = null

for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => interrupt(code))
}
process.exitCode = await run()

async function run(): Promise<number> {
  const given = process.env.DATABASE_URL
  const server = given ? { url: given, close: () => dropDatabases(given) } : await startTestServer()
  try {
    await makeTemplate(server)
    await buildLetterTemplate()
    return interrupted ?? (process.env.TEST_POOLER ? await runThroughPooler(server) : await runTests(server))
  } finally {
    await server.close()
  }
}

async function runThroughPooler(server: TestServer): Promise<number> {
  await using pooler = await startTransactionPooler({ serverUrl: server.url })
  const code = await runTests(server, { RIALTO_TEST_POOLER: new URL(pooler.route(server.url)).port })
  for (const violation of pooler.violations) console.error(`✖ Refused by the pooler: ${violation}`)
  return pooler.violations.length > 0 ? 1 : code
}

async function makeTemplate(server: TestServer): Promise<void> {
  await query(server.url, `create database ${template}`)
  const url = new URL(server.url)
  url.pathname = template
  await migrate(url.href)
}

/** Drops the template and its clones, whose names begin with its name (test/support/database.ts). */
async function dropDatabases(serverUrl: string): Promise<void> {
  const names = await query(serverUrl, `select datname from pg_database where starts_with(datname, '${template}')`)
  for (const { datname } of names) await query(serverUrl, `drop database if exists ${datname} with (force)`)
}

async function query(url: string, text: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function runTests(server: TestServer, more: Record<string, string> = {}): Promise<number> {
  const given = process.argv.slice(2)
  const options = given.filter((argument) => argument.startsWith('-'))
  const chosen = given.filter((argument) => !argument.startsWith('-'))
  const missing = chosen.filter((pattern) => globSync(pattern).length === 0)
  if (missing.length > 0) console.error(`✖ No test file matches ${missing.join(', ')}`)
  if (missing.length > 0) return 1
  const files = chosen.length === 0 ? allTests() : globSync(chosen).sort()
  if (files.some((file) => file.startsWith('test/dom/'))) await buildDashboardProgram()
  const queue = makeTestQueue(files, Math.min(FILES_PER_PROCESS, Math.ceil(files.length / CONCURRENCY)))
  try {
    return await runQueue(queue, options, server, more)
  } finally {
    queue.delete()
  }
}

function allTests(): string[] {
  const outside = ['node_modules', 'build', 'data']
  return globSync('**/*.test.ts', { exclude: (path) => outside.includes(path) }).sort()
}

async function runQueue(
  queue: TestQueue,
  options: string[],
  server: TestServer,
  more: Record<string, string>,
): Promise<number> {
  const report = beginReport(server)
  const code = await runNode([...options, ...queue.reporters, ...queue.parts], server, { ...more, ...queue.env })
  if (interrupted !== null) return interrupted
  for (const line of report(queue.times())) console.info(line)
  if (code !== 0) for (const text of queue.crashes()) console.error(`✖ ${text}`)
  for (const file of queue.failed()) console.error(`✖ Failed: ${file}`)
  const left = queue.left()
  for (const file of left) console.error(`✖ Not run: ${file}`)
  return left.length > 0 ? 1 : code
}

async function runNode(args: string[], server: TestServer, more: Record<string, string>): Promise<number> {
  const { DATABASE_URL: _, ...env } = process.env
  const ours = { RIALTO_TEST_DATABASE_URL: server.url, RIALTO_TEST_TEMPLATE: template }
  const concurrent = args.some((argument) => argument.startsWith('--test-concurrency'))
    ? []
    : [`--test-concurrency=${CONCURRENCY}`]
  tests = spawn(process.execPath, ['--test', ...concurrent, ...args], {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, ...more, ...ours },
    stdio: 'inherit',
    // A separate process group, so that they and their child processes end together.
    detached: process.platform !== 'win32',
  })
  const limit = setTimeout(() => {
    console.error(`The tests took longer than ${TIME_LIMIT_MS / 60_000} minutes and were stopped.`)
    interrupt(1)
  }, TIME_LIMIT_MS)
  const code = await new Promise<number>((resolve, reject) => {
    tests?.once('error', reject).once('exit', (status) => resolve(status ?? 1))
  })
  clearTimeout(limit)
  signalTests('SIGKILL')
  return interrupted ?? code
}

/** Interrupts the tests: on SIGINT Node prints the tests that are running. Then they end, by SIGKILL if necessary. */
async function interrupt(code: number): Promise<void> {
  if (interrupted !== null) return
  interrupted = code
  signalTests('SIGINT')
  await sleep(SHUTDOWN_MS, undefined, { ref: false })
  signalTests('SIGKILL')
}

function signalTests(signal: NodeJS.Signals): void {
  if (tests?.pid === undefined) return
  try {
    if (process.platform === 'win32') tests.kill(signal)
    else process.kill(-tests.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
