import { invalidField } from '../../lib/errors.ts'
import type { AccessContext } from '../shared/context.ts'
import { markApiKeyRevoked } from './api-key-queries.ts'

/**
 * Ends a key now. Processes that remember it see that within a second.
 *
 * @throws ApiError `validation_failed` when this environment has no such key, or it was revoked before
 */
export async function revokeApiKey({ db, clock, environment }: AccessContext, keyId: string): Promise<void> {
  const revoked = await markApiKeyRevoked(db, { id: keyId, environment, at: clock.now() })
  if (!revoked) throw invalidField('key', `no key in ${environment} that is not revoked has this id`)
}
