import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../../test/support/free-ports.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { embeddedPostgresUrl, startEmbeddedPostgres } from './embedded-postgres.ts'
import { accountFor, canEnter, runAs } from './postgres-account.ts'
import { readOrCreatePassword } from './postgres-cluster.ts'
import { deleteCluster, findCluster, preparePlace } from './postgres-place.ts'
import { readPostmaster, stopServer } from './postgres-process.ts'

const PROGRAM = fileURLToPath(new URL('../../test/support/hold-postgres.ts', import.meta.url))

// Creating a cluster takes longer than all else here, so the tests of a suite run one after another on one cluster.
// Each leaves it stopped.

let folder: string
let dataDir: string

function onNewFolder(): void {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rialto embedded-'))
    chmodSync(folder, 0o755)
    dataDir = join(folder, 'data')
  })
  // A failed test may leave it running, and the next one would adopt it.
  afterEach(() => stopServer(findCluster(dataDir) ?? ''))
  after(() => {
    if (existsSync(dataDir)) deleteCluster(dataDir)
    rmSync(folder, { recursive: true, force: true })
  })
}

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end())
  return rows[0]?.[0]
}

interface Service {
  process: ChildProcess
  url: string
  adopted: boolean
  error?: string
}

async function startService(uid?: number): Promise<Service> {
  const args = [PROGRAM, dataDir, ...(uid === undefined ? [] : [String(uid)])]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [said] = await once(child.stdout, 'data')
  return { process: child, ...JSON.parse(String(said)) }
}

async function kill({ process: child }: Service): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

async function stop({ process: child }: Service): Promise<void> {
  child.stdin?.end()
  await ended(child)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function killPostgres(): number {
  const pid = postgresPid()
  process.kill(pid, 'SIGKILL')
  return pid
}

const clusterPath = () => realpathSync(join(dataDir, 'postgres'))
const postgresPid = () => readPostmaster(clusterPath())?.pid ?? 0

describe('The embedded PostgreSQL', { timeout: 300_000 }, () => {
  onNewFolder()

  test('is created on the first start, and keeps committed data across a restart', async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    await ask(first.url, 'create table kept (id integer)')
    await ask(first.url, 'insert into kept values (7)')
    equal(embeddedPostgresUrl(dataDir), first.url)
    await first.stop()
    equal(embeddedPostgresUrl(dataDir), null)

    const second = await startEmbeddedPostgres({ dataDir })
    equal(second.adopted, false)
    equal(await ask(second.url, 'select id from kept'), 7)
    await second.stop()
  })

  test('is durable, has data checksums, and refuses a connection without the password', async () => {
    const { url, stop } = await startEmbeddedPostgres({ dataDir })
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) {
      equal(await ask(url, `select current_setting('${setting}')`), 'on', setting)
    }
    equal(await ask(url, 'select rolsuper from pg_roles where rolname = current_user'), false, 'no superuser')
    equal(statSync(join(dataDir, 'postgres-password')).mode & 0o777, 0o600)
    await rejects(ask(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1'), { code: '28P01' })
    const { port } = new URL(url)
    await rejects(ask(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1'), { code: '28000' })
    if (process.getuid?.() === 0) notEqual(statSync(clusterPath()).uid, 0, 'under root it runs as another user')
    await stop()
  })

  test('outlives a killed service and is adopted by the next start', async () => {
    const killed = await startService()
    await ask(killed.url, 'create table outlived (id integer)')
    const pid = postgresPid()
    await kill(killed)

    const next = await startService()
    deepEqual({ adopted: next.adopted, url: next.url, pid: postgresPid() }, { adopted: true, url: killed.url, pid })
    equal(await ask(next.url, 'select count(*)::integer from outlived'), 0)

    await stop(next)
    equal(embeddedPostgresUrl(dataDir), null)
  })

  test('recovers after it was killed together with the service', async () => {
    const killed = await startService()
    await ask(killed.url, 'create table recovered as select generate_series(1, 1000) as id')
    await kill(killed)
    killPostgres()

    const next = await startEmbeddedPostgres({ dataDir })
    equal(next.adopted, false)
    equal(await ask(next.url, 'select count(*)::integer from recovered'), 1000)
    await next.stop()
  })

  test('starts although its old pid now belongs to another program of the same user', async () => {
    const killed = await startService()
    await kill(killed)
    const pid = killPostgres()
    const foreign = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...runAs(accountFor(clusterPath())) })
    const pidFile = join(clusterPath(), 'postmaster.pid')
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(String(pid), String(foreign.pid)))

    const next = await startEmbeddedPostgres({ dataDir })
    equal(next.adopted, false)
    equal(await ask(next.url, 'select 1'), 1)
    await next.stop()

    equal(foreign.exitCode, null)
    foreign.kill()
    await once(foreign, 'exit')
  })

  test('is restarted on the same port when it dies under a running service', async () => {
    const { url, stop } = await startEmbeddedPostgres({ dataDir, port: await freePort() })
    await ask(url, 'create table restarted as select 7 as id')
    const pid = killPostgres()

    while (postgresPid() === pid || !embeddedPostgresUrl(dataDir)) await sleep(20)
    let kept: unknown
    while (kept === undefined) kept = await ask(url, 'select id from restarted').catch(() => sleep(20))

    equal(kept, 7)
    notEqual(postgresPid(), pid)
    await stop()
  })

  test('a second start on the data directory is refused, and the first keeps running', async () => {
    const first = await startService()
    const second = await startService()
    match(second.error ?? '', new RegExp(`already in use by process ${first.process.pid}`))
    equal(await ask(first.url, 'select 1'), 1)
    await stop(second)
    await stop(first)
  })

  test('a failed start has the log of PostgreSQL in its error', async () => {
    const settings = { shared_buffers: 'plenty' }
    await rejects(
      startEmbeddedPostgres({ dataDir, settings }),
      /did not start:\n.*code 1.*\n.*invalid value.*shared_buffers.*plenty/,
    )
  })
})

describe('The embedded PostgreSQL in a new place', { timeout: 300_000 }, () => {
  onNewFolder()

  test('runs under any path, even after an interrupted start: spaces, non-ASCII letters, too long for a socket', async () => {
    dataDir = join(folder, "Zoë's データ, 1", 'deep'.repeat(40))
    prepareDataDirectory(dataDir)
    // If root runs it, the cluster is outside the data directory, which only root can enter, under a short path.
    const { data } = await preparePlace(dataDir)
    readOrCreatePassword(dataDir, false)
    mkdirSync(`${data}.unfinished-1/base`, { recursive: true })
    const { url, stop } = await startEmbeddedPostgres({ dataDir })
    if (process.getuid?.() !== 0) equal(new URL(url).search, '', 'by TCP')
    equal(await ask(url, `select 'ok'`), 'ok')
    await stop()
    deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres-password', 'postgres.log'])
    equal(existsSync(`${data}.unfinished-1`), false)
  })
})

if (process.getuid?.() === 0) {
  describe('The embedded PostgreSQL under root', { timeout: 300_000 }, () => {
    onNewFolder()

    test('in a directory only root can enter, the cluster is outside, linked from the data directory', async () => {
      chmodSync(folder, 0o700)
      const first = await startEmbeddedPostgres({ dataDir })
      ok(lstatSync(join(dataDir, 'postgres')).isSymbolicLink())
      await ask(first.url, 'create table kept (id integer)')
      await first.stop()

      const second = await startEmbeddedPostgres({ dataDir })
      equal(await ask(second.url, 'select count(*)::integer from kept'), 0)
      await second.stop()
    })

    test('a cluster whose data directory was deleted is renamed, neither deleted nor used', async () => {
      const killed = await startService()
      equal(await ask(killed.url, `select to_regclass('kept')::text`), 'kept')
      const outside = dirname(clusterPath())
      await kill(killed)
      rmSync(dataDir, { recursive: true })

      const fresh = await startEmbeddedPostgres({ dataDir })
      equal(await ask(fresh.url, `select to_regclass('kept')`), null)
      equal(readdirSync(outside).filter((name) => name.startsWith('data-set-aside-')).length, 1)
      await fresh.stop()
    })
  })

  const nobody = { uid: 65534, gid: 65534 }
  if (canEnter(nobody, dirname(PROGRAM))) {
    describe('The embedded PostgreSQL of an ordinary user', { timeout: 300_000 }, () => {
      onNewFolder()

      test('runs as that user', async () => {
        chmodSync(folder, 0o777)
        const service = await startService(nobody.uid)
        equal(statSync(clusterPath()).uid, nobody.uid)
        equal(await ask(service.url, 'select 1'), 1)
        await stop(service)
      })
    })
  }
}
