import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import type { AccessContext, WithTransaction } from '../shared/context.ts'
import type { ApiKey } from './api-key.ts'
import { endRotatedKey } from './api-key-queries.ts'
import { createApiKey } from './create-api-key.ts'

const OVERLAP_HOURS_MAX = 168

export interface Rotation {
  keyId: string
  /** Of the new key; the old one's when left out. */
  allowedIps?: readonly string[] | undefined
  /** How long the old key goes on to work beside the new one: 0 to 168, whole. */
  overlapHours: number
}

/**
 * Replaces a key by a new one of the same name; the old one works until the overlap ends, so that servers can change over one
 * after the other.
 *
 * @returns the new key, its clear text, which is shown this once, and when the old one ends
 * @throws ApiError `validation_failed`, also when the key was rotated before: its successor is the one to rotate
 */
export async function rotateApiKey(
  context: WithTransaction<AccessContext, Tx>,
  { keyId, allowedIps, overlapHours }: Rotation,
): Promise<{ apiKey: ApiKey; key: string; oldEndsAt: Date }> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS_MAX) {
    throw invalidField('overlap_hours', `must be a whole number from 0 to ${OVERLAP_HOURS_MAX}`)
  }
  const { db, clock, environment } = context
  const oldEndsAt = addSeconds(clock.now(), overlapHours * 3_600)
  const old = await endRotatedKey(db, { id: keyId, environment, at: oldEndsAt })
  if (!old)
    throw invalidField('key', `no key in ${environment} has this id that is neither revoked nor rotated already`)
  const made = await createApiKey(context, { ...old, ...(allowedIps && { allowedIps }) })
  return { ...made, oldEndsAt }
}
