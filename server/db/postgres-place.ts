import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, accountFor, canEnter, canRun } from './postgres-account.ts'
import { type PostgresBinaries, packagedBinaries } from './postgres-binaries.ts'
import { stopServer } from './postgres-process.ts'

// The location of the cluster when Rialto runs as root and the user of PostgreSQL cannot enter the data directory.
const OUTSIDE = '/var/lib/rialto'

/** The paths and the user of one embedded PostgreSQL. All paths are real paths. */
export interface PostgresPlace {
  /** `<data directory>/postgres`: the cluster itself, or a link to it. */
  link: string
  /** The cluster, which may not exist yet. */
  data: string
  /** The directory with `bin`, `lib` and `share`. */
  binaries: string
  account: Account | null
}

/** Finds or prepares the location of the cluster. The data directory must exist and be locked. */
export async function preparePlace(dataDirectory: string): Promise<PostgresPlace> {
  const link = linkOf(dataDirectory)
  const data = clusterOf(link) ?? (await newCluster(dataDirectory))
  const account = accountFor(data)
  if (!canEnter(account, dirname(data))) {
    throw new Error(`User ${account?.uid}, the owner of ${data}, cannot enter ${dirname(data)}. Run chmod o+x on it.`)
  }
  return { link, data, account, binaries: runnableBinaries(account, dataDirectory) }
}

const linkOf = (dataDirectory: string) => join(realpathSync(dataDirectory), 'postgres')

/** Returns the path of the existing cluster of a data directory; `null` before the first start. */
export function findCluster(dataDirectory: string): string | null {
  return existsSync(dataDirectory) ? clusterOf(linkOf(dataDirectory)) : null
}

function clusterOf(link: string): string | null {
  if (!lstatSync(link, { throwIfNoEntry: false })) return null
  try {
    return realpathSync(link)
  } catch (cause) {
    throw new Error(`${link} points to a PostgreSQL cluster that does not exist. Restore it, or remove the link.`, {
      cause,
    })
  }
}

async function newCluster(dataDirectory: string): Promise<string> {
  const inside = linkOf(dataDirectory)
  if (canEnter(accountFor(inside), dirname(inside))) return inside
  const data = join(makeOutside(dataDirectory), 'data')
  await setAside(data)
  return data
}

/** Renames a cluster whose data directory, and with it the password, was deleted. Data is never deleted here. */
async function setAside(data: string): Promise<void> {
  if (!existsSync(data)) return
  await stopServer(data)
  renameSync(data, `${data}-set-aside-${Date.now()}`)
}

/** Returns a stable path outside, derived from the path of the data directory. */
function outsideOf(dataDirectory: string): string {
  const id = createHash('sha256').update(realpathSync(dataDirectory)).digest('hex').slice(0, 16)
  return join(OUTSIDE, id)
}

function makeOutside(dataDirectory: string): string {
  const outside = outsideOf(dataDirectory)
  mkdirSync(outside, { recursive: true })
  execFileSync('chmod', ['0755', OUTSIDE, outside])
  return outside
}

function runnableBinaries(account: Account | null, dataDirectory: string): string {
  const packaged = packagedBinaries()
  if (canRun(account, join(packaged.directory, 'bin', 'postgres'))) return packaged.directory
  return copyBinaries(packaged, makeOutside(dataDirectory))
}

/** Copies the binaries once per version, and deletes the copies of earlier versions. */
function copyBinaries({ directory, version }: PostgresBinaries, outside: string): string {
  const copy = join(outside, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  for (const name of readdirSync(outside)) {
    if (name.startsWith('postgresql-')) rmSync(join(outside, name), { recursive: true })
  }
  const unfinished = `${copy}.new`
  cpSync(directory, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  execFileSync('chmod', ['-R', 'a+rX', unfinished])
  renameSync(unfinished, copy)
  return copy
}

/** Deletes the stopped PostgreSQL of a data directory with all its data, including a cluster outside. For tests. */
export function deleteCluster(dataDirectory: string): void {
  const outside = outsideOf(dataDirectory)
  const cluster = findCluster(dataDirectory)
  for (const path of [linkOf(dataDirectory), outside, ...(cluster ? [cluster] : [])]) {
    rmSync(path, { recursive: true, force: true })
  }
}
