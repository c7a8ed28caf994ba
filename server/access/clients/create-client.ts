import { type Scope, scopesOf } from '../../../contract/scopes.ts'
import type { Tx } from '../../db/transaction.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { credentialHash } from '../../lib/keyring.ts'
import type { AccessContext, WithTransaction } from '../shared/context.ts'
import { givenScopes } from '../shared/given-scopes.ts'
import { oneLine } from '../shared/one-line.ts'
import { newSecret } from '../tokens/token.ts'
import type { Client } from './client.ts'
import { insertClient, markClientRevoked } from './client-queries.ts'
import { checkRedirectUrl } from './redirect-url.ts'

export interface NewClient {
  businessId: string
  name: string
  redirectUrl: string
  passwordGrant?: boolean
  /** Scopes of the client; by default, all that the maker may give. */
  scopes?: readonly string[] | undefined
  /** Scopes that the maker may give. The operator, who is the default, may give all. */
  rights?: readonly Scope[]
  /** E-mail address of the person who creates it; by default, the operator. */
  createdBy?: string | null
}

/**
 * Registers a merchant's server.
 *
 * @returns the client and its secret, which cannot be read again
 * @throws ApiError `validation_failed`; `permission_denied` naming a scope that the maker may not give
 * @see CHK-6, ACC-3, ACC-76
 */
export async function createClient(
  { db, keyring, clock, environment }: WithTransaction<AccessContext, Tx>,
  { businessId, name, redirectUrl, passwordGrant = true, scopes, rights, createdBy = null }: NewClient,
): Promise<{ client: Client; clientSecret: string }> {
  const client: Client = {
    id: newId(),
    businessId,
    name: oneLine('name', name),
    redirectUrl: checkRedirectUrl(redirectUrl, environment),
    environment,
    passwordGrant,
    skipsSecondFactor: false,
    scopes: givenScopes(scopes, rights ?? scopesOf('owner', environment)),
    createdBy,
    refreshReuse: null,
    createdAt: clock.now(),
    revokedAt: null,
  }
  const clientSecret = newSecret('rc_cs_')
  await insertClient(db, { ...client, secretHash: credentialHash(keyring, clientSecret) })
  return { client, clientSecret }
}

/**
 * Revokes a client with all its tokens.
 *
 * @throws ApiError `validation_failed` when this environment has no such client, or the client is already revoked
 */
export async function revokeClient({ db, clock, environment }: AccessContext, clientId: string): Promise<Client> {
  const revoked = await markClientRevoked(db, { id: clientId, environment, at: clock.now() })
  if (!revoked) throw invalidField('client_id', `no active client in ${environment} has this id`)
  return revoked
}
