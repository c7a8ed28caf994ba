import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { embeddedPostgresUrl } from '../../server/db/embedded-postgres.ts'
import { deleteCluster } from '../../server/db/postgres-place.ts'
import { demoFilePath } from '../../server/demo/demo-file.ts'
import { simulatorControl } from '../../server/gateway/simulator/control.ts'
import { readSimulatorFile } from '../../server/serve/simulator-file.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort, freePorts } from '../support/free-ports.ts'
import { moneyRows } from '../support/money-rows.ts'
import { serverProgram } from '../support/server-program.ts'
import { until } from '../support/until.ts'

const SECRETS = { RIALTO_MASTER_KEY: Buffer.alloc(32, 77).toString('base64'), SMTP_URL: 'smtp://ana:hunter2@mail' }
const MAIL_FROM = 'mail@shop.example'

interface Started {
  child: ChildProcess
  errors(): string
  output(): string
  ended(): Promise<number | null>
}

function run(command: string, env: Record<string, string>): Started {
  const child = spawn(process.execPath, [serverProgram(), command], {
    env: { ...process.env, HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  const output: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => void errors.push(text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => void output.push(text))
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode
  }
  return { child, ended, errors: () => errors.join(''), output: () => output.join('') }
}

const serve = (env: Record<string, string>) => run('serve', env)

/** Returns standard error without warnings of Node. */
const errorLines = (service: Started) =>
  service
    .errors()
    .trim()
    .split('\n')
    .filter((line) => !/warning/i.test(line))

/** Returns standard output without warnings of a busy machine that took long to connect to the database. */
const outputLines = (service: Started) =>
  service
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('due to connection timeout'))

describe('a start with a port that is taken', () => {
  let dataDir: string
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let taken: Server
  let takenPort: number
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rialto-start-'))
    database = await createTestDatabase()
    taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    takenPort = (taken.address() as { port: number }).port
  })
  after(async () => {
    await new Promise((resolve) => taken.close(resolve))
    deleteCluster(dataDir)
    await rm(dataDir, { recursive: true, force: true })
    await database.drop()
  })

  // The first fails while PostgreSQL starts, the last when all else runs; the others do not need one of their own.
  for (const [setting, ownPostgres] of [
    ['SIMULATOR_PORT', true],
    ['OPERATIONS_PORT', false],
    ['PORT', false],
    ['DASHBOARD_PORT', true],
  ] as const) {
    test(`${setting}: one line with the port and the setting, code 1, and nothing is left running`, async () => {
      const [PORT, DASHBOARD_PORT, OPERATIONS_PORT] = (await freePorts()).map(String)
      const SIMULATOR_PORT = String(await freePort())
      const ports = { PORT, DASHBOARD_PORT, SIMULATOR_PORT, OPERATIONS_PORT, [setting]: String(takenPort) }
      const DATABASE_URL = ownPostgres ? '' : database.url
      const service = serve({ ...ports, RIALTO_DATA_DIR: dataDir, DATABASE_URL } as Record<string, string>)

      equal(await service.ended(), 1)

      const lines = errorLines(service)
      equal(lines.length, 1, service.errors())
      match(lines[0] ?? '', new RegExp(`^Port ${takenPort}, .* is in use\\. .* set ${setting} to another port\\.$`))
      deepEqual(outputLines(service), [])
      equal(embeddedPostgresUrl(dataDir), null, 'PostgreSQL still runs')
      equal(existsSync(join(dataDir, 'simulator.json')), false)
      if (setting !== 'SIMULATOR_PORT') equal(await isFree(Number(SIMULATOR_PORT)), true, 'the simulator still runs')
    })
  }

  test('a HOST that is not an address of this machine is named', async () => {
    const [PORT = 0, DASHBOARD_PORT = 0] = await freePorts()
    const env = {
      PORT: String(PORT),
      DASHBOARD_PORT: String(DASHBOARD_PORT),
      SIMULATOR_PORT: '0',
      OPERATIONS_PORT: '0',
    }
    const more = { DATABASE_URL: database.url, RIALTO_DATA_DIR: dataDir, HOST: '203.0.113.9' }
    const service = serve({ ...env, ...more })
    equal(await service.ended(), 1)
    match(service.errors(), /^For the API: 203\.0\.113\.9 is not an address of this machine\. Set HOST .*\n$/)
  })
})

describe('the database of a development version', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  before(async () => {
    database = await createTestDatabase()
    await using book = moneyRows(database.url)
    await book.query("update schema_migration set name = 'businesses' where number = 1")
  })
  after(() => database.drop())

  for (const command of ['serve', 'migrate', 'business']) {
    test(`${command}: one line that names the remedy, and code 1`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'rialto-other-'))
      const ports = { PORT: '0', DASHBOARD_PORT: '0', SIMULATOR_PORT: '0', OPERATIONS_PORT: '0' }
      const program = run(command, { ...ports, DATABASE_URL: database.url, RIALTO_DATA_DIR: dataDir })

      equal(await program.ended(), 1)

      const lines = errorLines(program)
      equal(lines.length, 1, program.errors())
      match(lines[0] ?? '', /migration 1 is "businesses".*Set RIALTO_DATA_DIR to another directory, or DATABASE_URL/)
      await rm(dataDir, { recursive: true, force: true })
    })
  }
})

test('npm run migrate, before the first start, creates the data directory', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'rialto-migrate-'))
  const dataDir = join(parent, 'data')
  try {
    const program = run('migrate', { DATABASE_URL: '', RIALTO_DATA_DIR: dataDir })
    equal(await program.ended(), 0, program.errors())
    match(program.output(), /migration 1 schema/)
  } finally {
    deleteCluster(dataDir)
    await rm(parent, { recursive: true, force: true })
  }
})

test('ACC-35: the first request finds a service that has done all that its start does in the database', async () => {
  await using database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'rialto-first-'))
  const [port = 0, dashboardPort, operationsPort] = await freePorts()
  const ports = {
    PORT: port,
    DASHBOARD_PORT: dashboardPort,
    OPERATIONS_PORT: operationsPort,
    SIMULATOR_PORT: await freePort(),
  }
  const texts = Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)]))
  const service = serve({ ...texts, RIALTO_DATA_DIR: dataDir, DATABASE_URL: database.url })
  try {
    const first = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    await until('it responds', first)
    equal(existsSync(demoFilePath(dataDir)), true, 'under load no connection would be left for it')
    await using rows = moneyRows(database.url)
    equal((await rows.query("select 1 from one_time_code where purpose = 'sign_in_link'")).length, 1)
  } finally {
    service.child.kill('SIGKILL')
    await service.ended()
    await rm(dataDir, { recursive: true, force: true })
  }
})

describe('the programs that a service starts', { skip: !existsSync('/proc/self/environ') }, () => {
  test('have none of its secrets, in their environment or on their command line; the simulator has one of its own', async () => {
    await using database = await createTestDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'rialto-children-'))
    const [PORT = 0, DASHBOARD_PORT = 0] = await freePorts()
    const ports = {
      PORT: String(PORT),
      DASHBOARD_PORT: String(DASHBOARD_PORT),
      SIMULATOR_PORT: '0',
      OPERATIONS_PORT: '0',
    }
    const service = serve({ ...ports, ...SECRETS, MAIL_FROM, DATABASE_URL: database.url, RIALTO_DATA_DIR: dataDir })
    try {
      await until('the service is ready', () => service.output().includes('Rialto is ready.'))
      const children = childrenOf(service.child.pid ?? 0)
      ok(children.some(({ command }) => command.includes('simulator')))
      const access = await readSimulatorFile(dataDir)
      ok(access)
      const secrets = [...Object.values(SECRETS), database.url, access.secret, 'DATABASE_URL', 'MASTER_KEY', 'SMTP']
      for (const { command, environment } of children)
        deepEqual(
          secrets.filter((secret) => command.includes(secret) || environment.includes(secret)),
          [],
          command,
        )
      equal(statSync(join(dataDir, 'simulator.json')).mode & 0o777, 0o600)
      deepEqual(await simulatorControl(access).rows(), [])
    } finally {
      service.child.kill('SIGTERM')
      await service.ended()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

/**
 * Returns the children, except a forked one that does not run its own program yet: it is still a copy of its parent.
 */
function childrenOf(parent: number): { command: string; environment: string }[] {
  const copy = readFileSync(`/proc/${parent}/cmdline`, 'utf8').replaceAll('\0', ' ')
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .filter((pid) => parentOf(pid) === parent)
    .map((pid) => {
      const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
      return { command: read('cmdline'), environment: read('environ') }
    })
    .filter(({ command }) => command !== copy)
}

function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return 0
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  const free = await promise
  server.close()
  return free
}
