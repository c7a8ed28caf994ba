import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runAs } from './postgres-account.ts'
import type { PostgresPlace } from './postgres-place.ts'

/** The name of the service's role and database. The role may create databases but is not a superuser. */
export const ROLE = 'rialto'

// The superuser has no password and no line here: only the owner of the files can use it, in single-user mode.
const ACCESS = `local all ${ROLE} scram-sha-256\nhost all ${ROLE} 127.0.0.1/32 scram-sha-256\n`

const UNFINISHED = '.unfinished-'

/**
 * Creates the cluster under a temporary name and renames it when it is complete, so an interrupted first start leaves
 * no partial cluster.
 */
export function createCluster(place: PostgresPlace, password: string): void {
  deleteUnfinished(place.data)
  const unfinished = mkdtempSync(`${place.data}${UNFINISHED}`)
  if (place.account) chownSync(unfinished, place.account.uid, place.account.gid)
  initialize(place, unfinished)
  writeFileSync(join(unfinished, 'pg_hba.conf'), ACCESS)
  createRole(place, unfinished, password)
  renameSync(unfinished, place.data)
  if (place.link !== place.data) symlinkSync(place.data, place.link)
  for (const path of [join(place.data, 'pg_hba.conf'), dirname(place.data), dirname(place.link)]) toDisk(path)
}

function deleteUnfinished(data: string): void {
  for (const name of readdirSync(dirname(data))) {
    if (!name.startsWith(basename(data) + UNFINISHED)) continue
    rmSync(join(dirname(data), name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function initialize(place: PostgresPlace, data: string): void {
  const options = ['--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C', '--no-instructions']
  const collation = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums']
  run(place, 'initdb', [`--pgdata=${data}`, ...options, ...collation], data)
}

function createRole(place: PostgresPlace, data: string, password: string): void {
  const statements = [
    `create role ${ROLE} login createdb password '${password}'`,
    `create database ${ROLE} owner ${ROLE}`,
  ]
  const options = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic']
  run(place, 'postgres', ['--single', '-D', data, ...options, 'template1'], data, `${statements.join('\n')}\n`)
}

function run(place: PostgresPlace, program: string, args: string[], cwd: string, input = ''): void {
  const path = join(place.binaries, 'bin', program)
  const { status, signal, stderr, error } = spawnSync(path, args, {
    cwd,
    input,
    encoding: 'utf8',
    ...runAs(place.account),
  })
  if (status === 0) return
  throw new Error(`${program} failed (${error?.message ?? signal ?? status})\n${stderr ?? ''}`)
}

/** Syncs a file or directory, so that the cluster survives a power cut. Windows cannot sync a directory. */
function toDisk(path: string): void {
  if (process.platform === 'win32') return
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** Returns the role's password. It is random, its file has mode 0600, and it is created before the cluster. */
export function readOrCreatePassword(dataDirectory: string, clusterExists: boolean): string {
  const path = join(dataDirectory, 'postgres-password')
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  if (clusterExists)
    throw new Error(`${path} is missing. It has the password of the database beside it: restore the file.`)
  const password = randomBytes(24).toString('hex')
  const file = openSync(path, 'wx', 0o600)
  writeSync(file, `${password}\n`)
  fsyncSync(file)
  closeSync(file)
  return password
}
