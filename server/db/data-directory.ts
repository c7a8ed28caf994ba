import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

const PRIVATE = 0o700
const PRIVATE_FILE = 0o600
/** To pass through, and to see nothing. */
const PASSAGE = 0o711
const OTHERS = 0o077

/** The data directory is open to other users of the machine, and not ours to close. */
export class DataDirectoryOpen extends Error {
  constructor(path: string) {
    super(
      `${path} is open to other users and belongs to another one, so it cannot be closed to them. Its owner can: ` +
        `chmod 700. Or choose another RIALTO_DATA_DIR, a folder in it say.`,
    )
    this.name = 'DataDirectoryOpen'
  }
}

/**
 * Makes the data directory, for its owner alone, and closes one that others may enter: whoever can read the lock in it can
 * hold it, and the credentials and the books are nobody else's business.
 *
 * @throws {DataDirectoryOpen} when it belongs to another user and is not closed already
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

/** Leaves what is narrower as it is. */
function close(path: string, mode: number): void {
  const found = lstatSync(path).mode & 0o777
  if ((found & OTHERS & ~mode) === 0) return
  try {
    chmodSync(path, (found & ~OTHERS) | (mode & OTHERS & found))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EPERM' ? new DataDirectoryOpen(path) : error
  }
}

/** Root's PostgreSQL runs as another user, and has to reach the cluster that an earlier version made in here. */
function holdsOthersCluster(directory: string): boolean {
  const cluster = lstatSync(join(directory, 'postgres'), { throwIfNoEntry: false })
  return cluster?.isDirectory() === true && cluster.uid !== process.getuid?.()
}
