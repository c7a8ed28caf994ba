import { type Scope, scopesOf } from '../../../contract/scopes.ts'
import type { Tx } from '../../db/transaction.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { credentialHash } from '../../lib/keyring.ts'
import type { AccessContext, WithTransaction } from '../shared/context.ts'
import { givenScopes } from '../shared/given-scopes.ts'
import { oneAddress } from '../shared/one-address.ts'
import { oneLine } from '../shared/one-line.ts'
import { type ApiKey, lastFourOf, newApiKey } from './api-key.ts'
import { insertApiKey } from './api-key-queries.ts'

/** Maximum number of addresses of a key (ACC-15). */
const ALLOWED_IPS_MAX = 2

export interface NewApiKey {
  businessId: string
  /** Name of the key, for people. */
  name: string
  /** One or two single addresses, in any spelling. */
  allowedIps: readonly string[]
  /** Scopes of the key; by default, all that the maker may give. */
  scopes?: readonly string[] | undefined
  /** Scopes that the maker may give. The operator, who is the default, may give all. */
  rights?: readonly Scope[]
  /** E-mail address of the person who creates it; by default, the operator. */
  createdBy?: string | null
}

/**
 * Creates a secret key for a merchant's server.
 *
 * @returns the key's metadata and its clear text, which cannot be read again
 * @throws ApiError `validation_failed` naming `name`, `allowed_ips` or `scopes`; `permission_denied` naming
 *   a scope that the maker may not give
 * @see ACC-13 to ACC-15, ACC-76
 */
export async function createApiKey(
  { db, keyring, clock, environment }: WithTransaction<AccessContext, Tx>,
  wanted: NewApiKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  const key = newApiKey(environment)
  const apiKey: ApiKey = {
    id: newId(),
    businessId: wanted.businessId,
    name: oneLine('name', wanted.name),
    environment,
    lastFour: lastFourOf(key),
    allowedIps: checkAllowedIps(wanted.allowedIps),
    scopes: givenScopes(wanted.scopes, wanted.rights ?? scopesOf('owner', environment)),
    createdAt: clock.now(),
    createdBy: wanted.createdBy ?? null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    lastUsedFrom: null,
  }
  await insertApiKey(db, { ...apiKey, hash: credentialHash(keyring, key) })
  return { apiKey, key }
}

/** Returns the canonical addresses. An address given twice, even in two spellings, counts once. */
function checkAllowedIps(addresses: readonly string[]): string[] {
  const canonical = [...new Set(addresses.map((address) => oneAddress('allowed_ips', address)))]
  if (canonical.length >= 1 && canonical.length <= ALLOWED_IPS_MAX) return canonical
  throw invalidField(
    'allowed_ips',
    `must be 1 to ${ALLOWED_IPS_MAX} addresses that may use the key; ${canonical.length} given`,
  )
}
