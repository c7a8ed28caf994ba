import type { FastifyBaseLogger } from 'fastify'
import { transaction } from '../../db/transaction.ts'
import { credentialHashes } from '../../lib/keyring.ts'
import type { AccessContext } from '../shared/context.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import { storeTokens } from './issue-tokens.ts'
import { LOST_RESPONSE_SECONDS, type RefreshToken, type TokenPair } from './token.ts'
import { findRefreshToken, revokeFamily, spendRefreshToken } from './token-queries.ts'

export type RefreshContext = AccessContext & { bearerTokens: BearerTokens; log: FastifyBaseLogger }

/** @returns the token even when it was already spent; `rotateRefreshToken` decides what that means */
export async function presentedRefreshToken(
  { db, keyring, clock }: AccessContext,
  secret: string,
): Promise<RefreshToken | null> {
  const token = await findRefreshToken(db, credentialHashes(keyring, secret), clock.now())
  return token?.ended ? null : token
}

/**
 * The refresh token grant: spends the old token and stores the new pair in one transaction, so that a crash leaves the
 * old token valid. The previous access token stays valid until it expires, because requests under way with it must not
 * fail.
 *
 * @param ip canonical
 * @returns whether this call spent the token
 * @see ACC-5 to ACC-8
 */
export async function rotateRefreshToken(
  context: RefreshContext,
  { token, pair, ip }: { token: RefreshToken; pair: TokenPair; ip: string },
): Promise<boolean> {
  const rotated = await transaction(context.db, async (tx) => {
    const spent = await spendRefreshToken(tx, { hash: token.hash, usedAt: context.clock.now(), usedFrom: known(ip) })
    if (spent)
      await storeTokens({ ...context, db: tx }, { pair, businessId: token.businessId, familyId: token.familyId })
    return spent
  })
  if (!rotated) await detectReuse(context, token, ip)
  return rotated
}

/** A token that is used twice was stolen, and it is unknown by whom it was used first, so both lose it (RFC 9700). */
async function detectReuse(context: RefreshContext, { hash, clientId }: RefreshToken, ip: string): Promise<void> {
  const at = context.clock.now()
  const token = await findRefreshToken(context.db, [hash], at)
  if (!token?.usedAt || token.ended) return
  const soon = at.getTime() - token.usedAt.getTime() <= LOST_RESPONSE_SECONDS * 1000
  if (soon && token.usedFrom === known(ip)) return
  const { businessId, familyId } = token
  await revokeFamily(context.db, { businessId, familyId, at })
  context.bearerTokens.forgetAll()
  context.log.warn({ businessId, clientId, familyId, ip }, 'refresh token reuse detected; token family revoked')
}

const known = (ip: string) => (ip === 'unknown' ? null : ip)
