import { createHash } from 'node:crypto'
import { ApiError } from '../lib/errors.ts'

const VERSION_CHARACTERS = 16

/**
 * Returns the version of an object that people edit: equal as long as its members are. Half a hash is enough, since
 * nobody gains from a collision.
 *
 * @param editable what an edit may change, always built by the same function, because the order of members counts
 * @see DSH-4
 */
export function versionOf(editable: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(editable)).digest('hex').slice(0, VERSION_CHARACTERS)
}

/**
 * Compares versions. Call it in the transaction of the change, after its row is locked.
 *
 * @param sent version that the person edited
 * @param current the object as the page gets it, so that the page can mark the difference
 * @throws ApiError `conflict` if someone else changed the object meanwhile
 */
export function requireVersion(sent: string, current: { version: string }): void {
  if (sent === current.version) return
  throw new ApiError('conflict', {
    message: 'Someone changed this meanwhile',
    extra: { current_version: current.version, current },
  })
}
