import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packagedBinaries } from './postgres-binaries.ts'
import type { PostgresPlace } from './postgres-place.ts'

/** The embedded PostgreSQL cannot start with its data as it is. The message says what would be right. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Widest mode of its data with which PostgreSQL starts; it accepts only 0700 and 0750. */
const OWNER_AND_READING_GROUP = 0o750
const MODE_BITS = 0o777

/**
 * Makes sure that PostgreSQL will accept its data.
 *
 * @throws EmbeddedPostgresError
 */
export function checkCluster({ data }: Pick<PostgresPlace, 'data'>, version = packagedBinaries().version): void {
  requireSameMajor(data, version)
  if (process.platform !== 'win32') narrowMode(data)
}

/** @see OPS-37 */
function requireSameMajor(data: string, version: string): void {
  const theirs = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const [ours = ''] = version.split('.')
  if (theirs === ours) return
  throw new EmbeddedPostgresError(
    `The database in ${data} was made by PostgreSQL ${theirs}, and this version of Rialto brings PostgreSQL ${ours}, ` +
      'which cannot read it. Nothing was changed. How to convert it: docs/operating/database.md#another-major-version',
  )
}

/**
 * Narrows the mode. A volume that gives access to its group, as Kubernetes does for `fsGroup` at each mount, widens it
 * again.
 */
function narrowMode(data: string): void {
  const mode = statSync(data).mode & MODE_BITS
  const wanted = mode & OWNER_AND_READING_GROUP
  if (mode === wanted) return
  try {
    chmodSync(data, wanted)
  } catch {
    // Only the resulting mode counts, whoever set it.
  }
  const found = statSync(data).mode & MODE_BITS
  if (found === wanted) return
  throw new EmbeddedPostgresError(
    `${data} has mode 0${found.toString(8)}, with which PostgreSQL does not start, and it cannot be changed from here. ` +
      `Run chmod 700 on it as its owner. Where the volume ignores modes, as some NAS do, set RIALTO_DATA_DIR to ` +
      'another volume, or DATABASE_URL to a PostgreSQL of your own.',
  )
}
