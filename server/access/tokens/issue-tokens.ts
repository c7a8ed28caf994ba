import type { Scope } from '../../../contract/scopes.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { credentialHash } from '../../lib/keyring.ts'
import type { AccessContext, WithTransaction } from '../shared/context.ts'
import { ACCESS_TOKEN_SECONDS, FAMILY_SECONDS, type TokenPair } from './token.ts'
import { insertFamily, insertTokens } from './token-queries.ts'

type Context = Omit<WithTransaction<AccessContext, Tx>, 'environment'>

/** Stores the first pair of tokens of a sign-in. All later pairs belong to its family and end with it. */
export async function startFamily(
  context: Context,
  {
    pair,
    scopes = null,
    ...owner
  }: { pair: TokenPair; businessId: string; clientId: string; userId: string; scopes?: readonly Scope[] | null },
): Promise<void> {
  const createdAt = context.clock.now()
  const family = { ...owner, scopes, id: newId(), createdAt, expiresAt: addSeconds(createdAt, FAMILY_SECONDS) }
  await insertFamily(context.db, family)
  await storeTokens(context, { pair, businessId: family.businessId, familyId: family.id })
}

export async function storeTokens(
  { db, keyring, clock }: Context,
  {
    pair,
    businessId,
    familyId,
    scopes = null,
  }: { pair: TokenPair; businessId: string; familyId: string; scopes?: readonly Scope[] | null },
): Promise<void> {
  const issuedAt = clock.now()
  await insertTokens(db, {
    businessId,
    familyId,
    accessHash: credentialHash(keyring, pair.accessToken),
    refreshHash: credentialHash(keyring, pair.refreshToken),
    scopes,
    issuedAt,
    accessExpiresAt: addSeconds(issuedAt, ACCESS_TOKEN_SECONDS),
  })
}
