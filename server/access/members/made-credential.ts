import { may, type Role } from '../../../contract/permissions.ts'
import { scopesOf } from '../../../contract/scopes.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { revokeClients } from '../clients/client-queries.ts'
import { revokeApiKeys } from '../keys/api-key-queries.ts'
import { revokeFamilies } from '../tokens/token-queries.ts'
import { TOKEN_ROLES } from '../tokens/token-scopes.ts'
import { listMadeCredentials, type MadeCredential } from './made-credential-queries.ts'

/**
 * Whether a credential exceeds a role: it could do more, or the role may not make its kind. Tokens shrink by
 * themselves, as long as the role may have any.
 *
 * @param role `null` for a person who leaves
 * @see ACC-80
 */
export function isBeyond({ type, scopes, environment }: MadeCredential, role: Role | null): boolean {
  if (role === null) return true
  if (type === 'oauth_family') return !TOKEN_ROLES.includes(role)
  const rights: readonly string[] = scopesOf(role, environment)
  const permission = type === 'api_key' ? 'keys.write' : 'clients.write'
  return !may(role, permission, environment) || scopes.some((scope) => !rights.includes(scope))
}

export interface CredentialsOfChange {
  /** All credentials that the person had made. */
  made: MadeCredential[]
  /** Credentials that the change ended. */
  ended: MadeCredential[]
}

/**
 * Ends the credentials beyond a person's new role. Call it in the transaction that changes the role, after it has
 * waited for other changes.
 */
export async function endBeyond(
  tx: Tx,
  { clock }: { clock: Clock },
  { role, ...person }: { businessId: string; userId: string; email: string; role: Role | null },
): Promise<CredentialsOfChange> {
  const at = clock.now()
  const made = await listMadeCredentials(tx, { ...person, now: at })
  const ended = made.filter((credential) => isBeyond(credential, role))
  const ends = (type: MadeCredential['type']) => ({
    businessId: person.businessId,
    ids: ended.filter((one) => one.type === type).map(({ id }) => id),
    at,
  })
  await revokeApiKeys(tx, ends('api_key'))
  await revokeClients(tx, ends('oauth_client'))
  await revokeFamilies(tx, ends('oauth_family'))
  return { made, ended }
}
