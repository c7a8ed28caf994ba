import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

const PRIVATE = 0o700
const PRIVATE_FILE = 0o600
/** Other users may traverse the directory but not list it. */
const PASSAGE = 0o711
const OTHERS = 0o077

/** Other users of the machine can enter the data directory, and this user may not change its mode. */
export class DataDirectoryOpen extends Error {
  constructor(path: string) {
    super(
      `${path} is accessible to other users and belongs to another user, so its mode cannot be changed. ` +
        'Ask its owner to run chmod 700 on it, or set RIALTO_DATA_DIR to another directory, such as one inside it.',
    )
    this.name = 'DataDirectoryOpen'
  }
}

/**
 * Creates the data directory with mode 0700, and removes the access of other users from an existing one. A user who can
 * read the lock file can hold the lock, and the directory contains credentials.
 *
 * @throws {DataDirectoryOpen} when the directory belongs to another user and is accessible to others
 */
export function prepareDataDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE })
  if (process.platform === 'win32') return
  const directory = realpathSync(path)
  close(directory, holdsOthersCluster(directory) ? PASSAGE : PRIVATE)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isFile()) close(join(directory, entry.name), PRIVATE_FILE)
  }
}

/** Removes permissions beyond `mode`; a narrower mode stays. */
function close(path: string, mode: number): void {
  const found = lstatSync(path).mode & 0o777
  if ((found & OTHERS & ~mode) === 0) return
  try {
    chmodSync(path, (found & ~OTHERS) | (mode & OTHERS & found))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EPERM' ? new DataDirectoryOpen(path) : error
  }
}

/**
 * Whether the directory contains another user's cluster. If Rialto runs as root, PostgreSQL runs as another user, which
 * must reach a cluster inside the directory.
 */
function holdsOthersCluster(directory: string): boolean {
  const cluster = lstatSync(join(directory, 'postgres'), { throwIfNoEntry: false })
  return cluster?.isDirectory() === true && cluster.uid !== process.getuid?.()
}
