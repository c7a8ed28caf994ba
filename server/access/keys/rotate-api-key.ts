import { type Scope, scopesOf, scopesWithin } from '../../../contract/scopes.ts'
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
  /** Addresses of the new key; by default, those of the old key. */
  allowedIps?: readonly string[] | undefined
  /** How many hours the old key keeps working: a whole number from 0 to 168. */
  overlapHours: number
  /** E-mail address of the person who rotates it; by default, the operator. */
  createdBy?: string | null
  /** Scopes that this person may give. The operator, who is the default, may give all. */
  rights?: readonly Scope[]
}

/**
 * Replaces a key by a new one of the same name. The old key works until the overlap ends, so that servers can switch
 * one by one.
 *
 * @returns the new key, its clear text, which cannot be read again, and when the old key expires
 * @throws ApiError `validation_failed`, also when the key was already rotated: rotate its successor instead;
 * `permission_denied` if the key may do more than the person who rotates it
 */
export async function rotateApiKey(
  context: WithTransaction<AccessContext, Tx>,
  { keyId, allowedIps, overlapHours, createdBy = null, rights }: Rotation,
): Promise<{ apiKey: ApiKey; key: string; oldEndsAt: Date }> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS_MAX) {
    throw invalidField('overlap_hours', `must be a whole number from 0 to ${OVERLAP_HOURS_MAX}`)
  }
  const { db, clock, environment } = context
  const oldEndsAt = addSeconds(clock.now(), overlapHours * 3_600)
  const old = await endRotatedKey(db, { id: keyId, environment, at: oldEndsAt })
  if (!old)
    throw invalidField(
      'key',
      `no key in ${environment} with this id can be rotated: it does not exist, is revoked, or was rotated before`,
    )
  // A key from before scopes existed may have those of the other environment.
  const scopes = scopesWithin(old.scopes, scopesOf('owner', environment))
  const made = await createApiKey(context, {
    ...old,
    scopes,
    ...(allowedIps && { allowedIps }),
    createdBy,
    ...(rights && { rights }),
  })
  return { ...made, oldEndsAt }
}
