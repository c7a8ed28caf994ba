import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

// `postgres` was made for this where it exists; `nobody` exists everywhere. An account of our own would change the
// machine's user list without being asked.
const ACCOUNTS = ['postgres', 'nobody']

/** The unprivileged user that PostgreSQL runs as when Rialto runs as root, whom PostgreSQL refuses. */
export interface Account {
  uid: number
  gid: number
}

/**
 * @param data the cluster's directory; if it exists, its owner stays the one who runs it
 * @returns `null` when we are not root: then PostgreSQL runs as ourselves
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
    `PostgreSQL does not run as root and this machine has no user ${ACCOUNTS.join(' or ')}. Start as another user.`,
  )
}

function idOf(what: '-u' | '-g', name: string): number {
  try {
    return Number(execFileSync('id', [what, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return Number.NaN
  }
}

/** What makes a child process run as that user, with nothing of our environment. Windows programs need theirs. */
export function runAs(account: Account | null): Pick<SpawnOptions, 'uid' | 'gid' | 'env' | 'windowsHide'> {
  if (process.platform === 'win32') return { windowsHide: true }
  return { ...account, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
}

/** Tried, not guessed from modes: access lists, mounts and containers decide too. */
export function canEnter(account: Account | null, directory: string): boolean {
  if (account === null) return true
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { cwd: '/', ...runAs(account) }).status === 0
}

export function canRun(account: Account | null, program: string): boolean {
  if (account === null) return true
  return spawnSync(program, ['--version'], { cwd: '/', ...runAs(account) }).status === 0
}
