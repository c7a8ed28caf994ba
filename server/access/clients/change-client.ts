import type { Role } from '../../../contract/permissions.ts'
import { scopesOf } from '../../../contract/scopes.ts'
import type { Tx } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { credentialHash } from '../../lib/keyring.ts'
import type { AccessContext, WithTransaction } from '../shared/context.ts'
import { givenScopes, requireRights } from '../shared/given-scopes.ts'
import { oneLine } from '../shared/one-line.ts'
import { newSecret } from '../tokens/token.ts'
import { revokeFamiliesOf } from '../tokens/token-queries.ts'
import type { Client } from './client.ts'
import { findClientOf, forgetClientSighting, updateClient, updateClientSecret } from './client-queries.ts'
import { checkRedirectUrl } from './redirect-url.ts'

type Context = WithTransaction<AccessContext, Tx>

/** Changes of a client; absent fields stay unchanged. */
export interface ClientChange {
  name?: string
  /** Its origin decides which pages may open sessions and frame the form; other processes notice within a second. */
  redirectUrl?: string
  passwordGrant?: boolean
  skipsSecondFactor?: boolean
  scopes?: readonly string[]
}

/**
 * Locks a client that is not revoked, until the end of the transaction.
 *
 * @throws ApiError `not_found`; `conflict` for a revoked client
 */
export async function lockClient(
  { db, environment }: Pick<Context, 'db' | 'environment'>,
  which: { id: string; businessId: string },
): Promise<Client> {
  const client = await findClientOf(db, { ...which, environment }, { forUpdate: true })
  if (!client) throw noSuchClient()
  if (client.revokedAt !== null) throw new ApiError('conflict', { message: 'This client is revoked' })
  return client
}

const noSuchClient = () =>
  new ApiError('not_found', { message: 'No such client', errors: { id: ['does not exist in this business'] } })

/**
 * Changes a locked client.
 *
 * @param by who changes it
 * @throws ApiError `validation_failed`; `permission_denied` for scopes that the role may not give
 * @see ACC-76, ACC-78
 */
export async function changeClient(
  { db, environment }: Pick<Context, 'db' | 'environment'>,
  client: Client,
  { name, redirectUrl, passwordGrant, skipsSecondFactor, scopes }: ClientChange,
  { role }: { role: Role },
): Promise<Client> {
  if (skipsSecondFactor && !client.skipsSecondFactor && role !== 'owner') {
    throw new ApiError('permission_denied', {
      message: 'Only an owner may allow the password grant for people with a second factor',
      extra: { roles: ['owner'] },
    })
  }
  // Existing scopes of the client may stay; added ones must be within the person's rights.
  const rights = [...client.scopes, ...scopesOf(role, environment)]
  const changed: Client = {
    ...client,
    ...(name !== undefined && { name: oneLine('name', name) }),
    ...(redirectUrl !== undefined && { redirectUrl: checkRedirectUrl(redirectUrl, environment) }),
    ...(passwordGrant !== undefined && { passwordGrant }),
    ...(skipsSecondFactor !== undefined && { skipsSecondFactor }),
    ...(scopes !== undefined && { scopes: givenScopes(scopes, rights) }),
  }
  await updateClient(db, changed)
  return changed
}

/**
 * Replaces the secret of a locked client.
 *
 * @param by who sees the new secret, and owns the client from then on
 * @returns the new secret, which cannot be read again; the former one ends at once
 * @throws ApiError `permission_denied` if the client may do more than their role
 */
export async function rotateClientSecret(
  { db, keyring, environment }: Context,
  { id, scopes }: Client,
  { role, email: createdBy }: { role: Role; email: string },
): Promise<string> {
  requireRights(scopes, scopesOf(role, environment))
  const clientSecret = newSecret('rc_cs_')
  await updateClientSecret(db, { id, secretHash: credentialHash(keyring, clientSecret), createdBy })
  return clientSecret
}

/** Ends all tokens of a locked client. @returns how many families of tokens ended */
export async function endClientTokens({ db, clock }: Context, { id, businessId }: Client): Promise<number> {
  await forgetClientSighting(db, id)
  return revokeFamiliesOf(db, { businessId, clientId: id, at: clock.now() })
}
