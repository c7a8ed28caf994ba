import { invalidField } from '../../lib/errors.ts'
import type { AccessContext } from '../shared/context.ts'
import type { ApiKey } from './api-key.ts'
import { markApiKeyRevoked } from './api-key-queries.ts'

/**
 * Revokes a key now. Processes that have it in their cache notice within a second.
 *
 * @throws ApiError `validation_failed` if this environment has no such key, or the key is already revoked
 */
export async function revokeApiKey({ db, clock, environment }: AccessContext, keyId: string): Promise<ApiKey> {
  const revoked = await markApiKeyRevoked(db, { id: keyId, environment, at: clock.now() })
  if (!revoked) throw invalidField('key', `no active key in ${environment} has this id`)
  return revoked
}
