import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

// `postgres` exists where a PostgreSQL package is installed, `nobody` on every Unix system. Rialto does not create
// accounts on the machine.
const ACCOUNTS = ['postgres', 'nobody']

/** The unprivileged user that PostgreSQL runs as when Rialto runs as root. PostgreSQL refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/**
 * @param data the cluster's directory; an existing cluster runs as its owner
 * @returns `null` when this process is not root: PostgreSQL then runs as the same user
 */
export function accountFor(data: string): Account | null {
  if (process.getuid?.() !== 0) return null
  return ownerOf(data) ?? unprivilegedAccount()
}

function ownerOf(data: string): Account | null {
  const version = statSync(join(data, 'PG_VERSION'), { throwIfNoEntry: false })
  return version && version.uid !== 0 ? { uid: version.uid, gid: version.gid } : null
}

function unprivilegedAccount(): Account {
  for (const name of ACCOUNTS) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)]
    if (uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and this machine has no user ${ACCOUNTS.join(' or ')}. ` +
      'Start Rialto as another user.',
  )
}

function idOf(what: '-u' | '-g', name: string): number {
  try {
    return Number(execFileSync('id', [what, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return Number.NaN
  }
}

/**
 * Returns options to spawn a process as that user with a minimal environment. On Windows, programs need the full
 * environment.
 */
export function runAs(account: Account | null): Pick<SpawnOptions, 'uid' | 'gid' | 'env' | 'windowsHide'> {
  if (process.platform === 'win32') return { windowsHide: true }
  return { ...account, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
}

/** Tests access by trying, because ACLs, mounts and containers matter besides file modes. */
export function canEnter(account: Account | null, directory: string): boolean {
  if (account === null) return true
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { cwd: '/', ...runAs(account) }).status === 0
}

export function canRun(account: Account | null, program: string): boolean {
  if (account === null) return true
  return spawnSync(program, ['--version'], { cwd: '/', ...runAs(account) }).status === 0
}
